import { describe, expect, it } from 'vitest';
import {
  elementsOf,
  objectUrl,
  textOf,
} from '../../../../../../builder/deliver/hosting/upload/s3/s3-client.ts';

const endpoint = 'https://s3.test:9000/base';
const target = { endpoint, bucket: 'bucket', prefix: '', region: undefined };

describe('objectUrl', () => {
  it.each([
    [false, 'a/b.tar', 'https://s3.test:9000/base/bucket/a/b.tar'],
    [false, '', 'https://s3.test:9000/base/bucket'],
    [false, 'a+b', 'https://s3.test:9000/base/bucket/a%2Bb'],
    [true, 'a/b.tar', 'https://bucket.s3.test:9000/base/a/b.tar'],
    [true, '', 'https://bucket.s3.test:9000/base'],
  ])('with a virtual host: %s, returns for the key "%s" %s', (isVirtualHost, key, url) => {
    expect(objectUrl({ ...target, isVirtualHost }, key).href).toBe(url);
  });

  it('adds the query', () => {
    const url = objectUrl({ ...target, isVirtualHost: false }, 'k', {
      uploads: '',
      prefix: 'a b',
    });
    expect(url.search).toBe('?uploads=&prefix=a+b');
  });
});

describe('elements of a response of S3', () => {
  it('finds the elements of an S3 response in their order, with entities only in text', () => {
    const xml = '<R><Part>1</Part><Part><ETag>&quot;a&#39;&quot;</ETag></Part></R>';
    expect([...elementsOf(xml, 'Part')]).toEqual(['1', '<ETag>&quot;a&#39;&quot;</ETag>']);
    expect(textOf(xml, 'ETag')).toBe(`"a'"`);
    expect(textOf(xml, 'Key')).toBeUndefined();
  });

  it('end before one without an end', () => {
    expect([...elementsOf('<A>1</A><A>2', 'A')]).toEqual(['1']);
  });

  // A regular expression needs minutes here, because it searches the end of each element again.
  it('finds the elements of an S3 response in linear time without any end', () => {
    const xml = '<Upload>'.repeat(500_000);
    const start = performance.now();
    expect([...elementsOf(xml, 'Upload')]).toEqual([]);
    expect(textOf(xml, 'Upload')).toBeUndefined();
    expect(performance.now() - start).toBeLessThan(1000);
  });
});
