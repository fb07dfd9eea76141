import { Programs } from "./view/programs.js";

new Programs().start();
