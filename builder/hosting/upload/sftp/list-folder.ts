/** Returns the sizes of the regular files, in bytes, from the output of `ls -l` of sftp in the locale C. */
export function sizesIn(listing: string): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const line of listing.split('\n')) {
    // -rw-r--r--    ? root     domain users    12345 Nov 23 01:00 name
    const [, size, name] = /^-.*\s(\d+) +[A-Z][a-z]{2} +\d+ +[\d:]+ (\S+)$/.exec(line) ?? [];
    if (size !== undefined && name !== undefined) sizes.set(name, Number(size));
  }
  return sizes;
}
