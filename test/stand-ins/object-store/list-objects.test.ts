import { describe, expect, it } from 'vitest';
import type { StoredObject } from './answer.ts';
import { listObjects } from './list-objects.ts';

const object: StoredObject = { content: Buffer.from('four'), etag: '"1"', headers: {} };
const objectsOf = (...keys: string[]) => new Map(keys.map((key) => [key, object]));
const many = objectsOf(...Array.from({ length: 12 }, (_, index) => `data/${index + 10}`));

function list(objects: ReadonlyMap<string, StoredObject>, query: Record<string, string>) {
  const parameters = new URLSearchParams({ 'list-type': '2', ...query });
  return listObjects('bucket', objects, parameters);
}

/** Returns the text of a list. */
function textOf(objects: ReadonlyMap<string, StoredObject>, query: Record<string, string>) {
  const answer = list(objects, query);
  return 'code' in answer ? answer.code : String(answer.body);
}

function elements(text: string, name: string): string[] {
  return [...text.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(
    ([, inside = '']) => inside,
  );
}

/** Returns the keys of all pages, and the number of pages. */
function pages(query: Record<string, string>): { keys: string[]; count: number } {
  const keys: string[] = [];
  let [token, count]: [string | undefined, number] = [undefined, 0];
  do {
    const text: string = textOf(many, { ...query, ...(token && { 'continuation-token': token }) });
    keys.push(...elements(text, 'Key'));
    [token] = elements(text, 'NextContinuationToken');
    count += 1;
  } while (token !== undefined);
  return { keys, count };
}

describe('a list of objects', () => {
  it('returns short pages, which together contain every key once, in order', () => {
    expect(pages({})).toEqual({ keys: [...many.keys()], count: 3 });
    expect(pages({ 'max-keys': '2' })).toEqual({ keys: [...many.keys()], count: 6 });
    expect(pages({ 'start-after': 'data/19' }).keys).toEqual(['data/20', 'data/21']);
  });

  it('contains only keys with the prefix, and groups them by the delimiter', () => {
    const objects = objectsOf('a/1', 'a/b/2', 'a/b/3', 'c');
    const text = textOf(objects, { prefix: 'a/', delimiter: '/' });
    expect(elements(text, 'Key')).toEqual(['a/1']);
    expect(elements(text, 'Prefix')).toEqual(['a/', 'a/b/']);
    expect(elements(text, 'KeyCount')).toEqual(['2']);
    expect(elements(textOf(objects, { delimiter: '' }), 'Key')).toEqual([...objects.keys()]);
  });

  it('encodes keys on request, and escapes them', () => {
    const objects = objectsOf('a b/<&>');
    expect(elements(textOf(objects, { 'encoding-type': 'url' }), 'Key')).toEqual(['a+b/%3C%26%3E']);
    expect(elements(textOf(objects, {}), 'Key')).toEqual(['a b/&#60;&#38;&#62;']);
  });

  it('names the owner on request', () => {
    expect(textOf(many, { 'fetch-owner': 'true' })).toContain('<Owner>');
    expect(textOf(many, {})).not.toContain('<Owner>');
  });

  it.each<[string, Record<string, string>]>([
    ['another version', { 'list-type': '1' }],
    ['another encoding', { 'encoding-type': 'base64' }],
    ['a number that is none', { 'max-keys': 'x' }],
    ['a token of another server', { 'continuation-token': 'eHg=' }],
  ])('is refused for %s', (_, query) => {
    expect(list(many, query)).toEqual({ status: 400, code: 'InvalidArgument' });
  });
});
