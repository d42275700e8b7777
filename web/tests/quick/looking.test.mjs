// What looks and leaves a store as it was.
import "./looking/door.mjs";
import "./looking/keys.mjs";
import "./looking/pages.mjs";
import "./looking/search.mjs";
