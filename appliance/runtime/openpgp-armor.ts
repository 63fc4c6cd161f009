const begin = '-----BEGIN PGP PUBLIC KEY BLOCK-----';
const end = '-----END PGP PUBLIC KEY BLOCK-----';
const headerLine = /^[A-Za-z]{1,32}: /;
const checksumLine = /^=[A-Za-z0-9+/]{4}$/;
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** Of base64, as other programs write it (RFC 4880, 6.3). */
const lineLength = 64;

/**
 * What lies in the one block of ASCII armor that a file is (RFC 4880, 6.2), or the file as it is
 * where its first byte begins a binary packet. Nothing where there is more than one block, or
 * anything but white space around it: programs differ in what they make of that.
 */
export function dearmored(file: Buffer): Buffer | undefined {
  if (((file[0] ?? 0) & 0x80) !== 0) return file;
  const lines = file.toString('latin1').trim().split(/\r?\n/);
  if (lines.shift() !== begin || lines.pop() !== end) return undefined;
  const body = withoutHeaders(lines.map((line) => line.trimEnd()));
  if (checksumLine.test(body.at(-1) ?? '')) body.pop();
  const text = body.join('');
  return text.length % 4 === 0 && base64.test(text) ? Buffer.from(text, 'base64') : undefined;
}

/** Packets as a block of armor, without the checksum, which proves nothing and may be left out. */
export function armored(packets: Buffer): string {
  const lines = packets.toString('base64').match(new RegExp(`.{1,${lineLength}}`, 'g')) ?? [];
  return [begin, '', ...lines, end, ''].join('\n');
}

/** Headers end with an empty line. */
function withoutHeaders(lines: readonly string[]): string[] {
  const first = lines.indexOf('');
  const headers = lines.slice(0, Math.max(0, first));
  return first !== -1 && headers.every((line) => headerLine.test(line))
    ? lines.slice(first + 1).filter((line) => line !== '')
    : [];
}
