// Reads a JUnit file on stdin and writes what it says as JSON on stdout.
import { text } from "node:stream/consumers";
import { parse } from "junit2json";

process.stdout.write(JSON.stringify(await parse(await text(process.stdin))));
