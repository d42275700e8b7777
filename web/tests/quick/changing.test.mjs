// What changes a store, in this order: axe looks at it while it is whole (here,
// so that the two processes take equally long), and the feed ends the daemon.
import "./changing/axe.mjs";
import "./changing/correct.mjs";
import "./changing/review.mjs";
import "./changing/dream.mjs";
import "./changing/feed.mjs";
