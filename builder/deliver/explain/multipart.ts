import type { Lines } from './finding.ts';

/** A part of a MIME message (RFC 2046, section 5.1). */
export interface Part {
  /** Media type in lower case; text/plain by default. */
  readonly type: string;
  readonly fileName: string | undefined;
  /** Content-Transfer-Encoding in lower case; 7bit by default. */
  readonly encoding: string;
  readonly body: string;
  /** Line of the message with the first line of the body, 1-based. */
  readonly bodyLine: number;
  /** Its lines, from its delimiter to the line before the next one. */
  readonly lines: Lines;
}

/** Further parts are lines that Landfall would not write. */
const maxParts = 200;

/** Returns the parts of a multipart message; undefined for a text that is none. */
export function partsOf(text: string): Part[] | undefined {
  const lines = text.split('\n');
  const { headers, end } = headersOf(lines, 0);
  const boundary = /^multipart\/.*?;\s*boundary=(?:"([^"]+)"|([^\s;]+))/is.exec(
    headers.get('content-type') ?? '',
  );
  const delimiter = `--${boundary?.[1] ?? boundary?.[2]}`;
  if (!boundary) return undefined;
  const at = lines.flatMap((line, index) => {
    const bare = line.trimEnd();
    return index >= end && (bare === delimiter || bare === `${delimiter}--`) ? [index] : [];
  });
  const starts = at.filter((index) => lines[index]?.trimEnd() === delimiter).slice(0, maxParts);
  return starts.map((start) =>
    partAt(
      lines,
      start,
      at.find((next) => next > start),
    ),
  );
}

function partAt(lines: readonly string[], start: number, next = lines.length): Part {
  const { headers, end } = headersOf(lines, start + 1);
  const type = (headers.get('content-type') ?? 'text/plain').split(';')[0] ?? '';
  const [, quoted, bare] =
    /filename=(?:"([^"]*)"|([^\s;]+))/i.exec(headers.get('content-disposition') ?? '') ?? [];
  return {
    type: type.trim().toLowerCase(),
    fileName: quoted ?? bare,
    encoding: (headers.get('content-transfer-encoding') ?? '7bit').trim().toLowerCase(),
    // The line break before a delimiter belongs to the delimiter.
    body: lines.slice(end, next).join('\n'),
    bodyLine: end + 1,
    lines: { first: start + 1, last: next },
  };
}

/** Reads headers, with folded lines. @returns `end`, the index of the line after the blank line */
function headersOf(lines: readonly string[], start: number) {
  const headers = new Map<string, string>();
  let name = '';
  let at = start;
  for (; at < lines.length && lines[at] !== ''; at += 1) {
    const line = lines[at] ?? '';
    const found = /^([\w-]+):(.*)$/.exec(line);
    if (found) {
      name = (found[1] ?? '').toLowerCase();
      headers.set(name, (found[2] ?? '').trim());
    } else if (/^[ \t]/.test(line) && name !== '') {
      headers.set(name, `${headers.get(name)} ${line.trim()}`);
    } else break;
  }
  return { headers, end: lines[at] === '' ? at + 1 : at };
}
