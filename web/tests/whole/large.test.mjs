// What is done on 10,000 memories; times are measured before anything else ran there.
import "./large/speed.mjs";
import "./large/graph.mjs";
import "./large/pages.mjs";
