import { Page } from "./view/page.js";

new Page().start();
