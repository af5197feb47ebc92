// Reads Markdown as GitHub has it on stdin and writes it as HTML on stdout, with the
// HTML that it holds as it stands.
import { text } from "node:stream/consumers";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

process.stdout.write(
  micromark(await text(process.stdin), {
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  }),
);
