const entities: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
  ...{ '#34': '"', '#39': "'", '#x22': '"', '#x27': "'" },
};

/**
 * Returns the content of all elements of a name in a response of S3, which has no attributes in them and
 * no nested elements of the same name.
 */
export function elementsOf(xml: string, name: string): string[] {
  const pattern = new RegExp(`<${name}>([^]*?)</${name}>`, 'g');
  return [...xml.matchAll(pattern)].map(([, content = '']) => content);
}

/** Returns the text of the first element of a name; undefined if there is none. */
export function textOf(xml: string, name: string): string | undefined {
  return elementsOf(xml, name)[0]?.replace(
    /&(#?\w{1,4});/g,
    (whole, entity: string) => entities[entity.toLowerCase()] ?? whole,
  );
}
