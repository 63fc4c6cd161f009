const entities: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
  ...{ '#34': '"', '#39': "'", '#x22': '"', '#x27': "'" },
};

/**
 * Yields the content of all elements of a name in a response of S3, which has no attributes in them and
 * no nested elements of the same name. Takes linear time also for elements without an end.
 */
export function* elementsOf(xml: string, name: string): Generator<string> {
  const [first, last] = [`<${name}>`, `</${name}>`];
  let next = 0;
  for (;;) {
    const start = xml.indexOf(first, next);
    const end = start < 0 ? -1 : xml.indexOf(last, start);
    if (end < 0) return;
    yield xml.slice(start + first.length, end);
    next = end + last.length;
  }
}

/** Returns the text of the first element of a name; undefined if there is none. */
export function textOf(xml: string, name: string): string | undefined {
  const [value] = elementsOf(xml, name);
  return value?.replace(
    /&(#?\w{1,4});/g,
    (whole, entity: string) => entities[entity.toLowerCase()] ?? whole,
  );
}
