/**
 * Encodes an object as JSON in printable ASCII, one field per line. DEL and all non-ASCII characters
 * are escaped, because YAML and consoles may change them.
 */
export function asciiJson(fields: object): string {
  const lines = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `{\n${lines.join(',\n')}\n}\n`.replaceAll(/[^\n -~]/g, escaped);
}

/** Escapes a UTF-16 code unit (RFC 8259, section 7). */
function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
