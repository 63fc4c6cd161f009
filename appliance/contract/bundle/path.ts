const parts = {
  /** What fits into the name field of a tar header. */
  short: '(?=.{1,100}$)',
  /** No `.` and no `..`. */
  noDotSegments: '(?!(?:.*/)?\\.{1,2}(?:/|$))',
  /** No name that a program could take for an option. */
  noLeadingDash: '(?!(?:.*/)?-)',
  /** Relative, printable ASCII, no blanks, no backslashes, at most eight deep. */
  names: '[A-Za-z0-9._@+-]+(?:/[A-Za-z0-9._@+-]+){0,7}',
};

/** A path inside a bundle. What does not match is refused wherever it turns up. */
export const pathPattern = new RegExp(`^${Object.values(parts).join('')}$`);
