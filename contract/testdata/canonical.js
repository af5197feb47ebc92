// Reads one JSON text a line and writes its canonical form: scalars by
// JSON.stringify, members sorted by code point (which UTF-8 bytes are ordered by).
'use strict';
const canonical = (v) => {
  if (Array.isArray(v)) return '[' + v.map(canonical).join(',') + ']';
  if (v === null || typeof v !== 'object') return JSON.stringify(v);
  const names = Object.keys(v).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return '{' + names.map((n) => JSON.stringify(n) + ':' + canonical(v[n])).join(',') + '}';
};
const lines = require('fs').readFileSync(0, 'utf8').split('\n');
process.stdout.write(lines.slice(0, -1).map((l) => canonical(JSON.parse(l)) + '\n').join(''));
