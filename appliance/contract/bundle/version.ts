/** Nine digits: every language holds them in an integer, and no version needs more. */
const number = '(?:0|[1-9]\\d{0,8})';
const identifier = `(?:${number}|\\d*[A-Za-z-][0-9A-Za-z-]*)`;
const core = `${number}\\.${number}\\.${number}`;
const preRelease = `(?:-${identifier}(?:\\.${identifier})*)?`;

/** A version as Semantic Versioning 2.0.0 has it, without build metadata, which orders nothing. */
export const versionPattern = new RegExp(`^${core}${preRelease}$`);
