import { start } from "clade/app.js";

start();
