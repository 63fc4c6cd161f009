const parts = {
  /** Fits into the name field of a tar header. */
  short: '(?=.{1,100}$)',
  /** No `.` and no `..`. */
  noDotSegments: '(?!(?:.*/)?\\.{1,2}(?:/|$))',
  /** No name that looks like an option. */
  noLeadingDash: '(?!(?:.*/)?-)',
  /** Relative, printable ASCII, no spaces, no backslashes, at most eight levels. */
  names: '[A-Za-z0-9._@+-]+(?:/[A-Za-z0-9._@+-]+){0,7}',
};

/** A path inside a bundle. All other paths are rejected. */
export const pathPattern = new RegExp(`^${Object.values(parts).join('')}$`);
