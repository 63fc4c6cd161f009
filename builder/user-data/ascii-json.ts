/**
 * An object as JSON in printable ASCII, one field a line, for people to read and for every
 * transport to carry. What JSON leaves as it is and YAML or a console would not (DEL, everything
 * beyond ASCII) is escaped.
 */
export function asciiJson(fields: object): string {
  const lines = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `{\n${lines.join(',\n')}\n}\n`.replaceAll(/[^\n -~]/g, escaped);
}

/** One UTF-16 unit, as JSON escapes it (RFC 8259, section 7). */
function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
