import { describe, expect, it } from 'vitest';
import { objectUrl } from '../../../../../builder/hosting/upload/s3/s3-client.ts';

const endpoint = new URL('https://s3.test:9000/base/');

describe('objectUrl', () => {
  it.each([
    [false, 'a/b.tar', 'https://s3.test:9000/base/bucket/a/b.tar'],
    [false, '', 'https://s3.test:9000/base/bucket'],
    [false, 'a+b', 'https://s3.test:9000/base/bucket/a%2Bb'],
    [true, 'a/b.tar', 'https://bucket.s3.test:9000/base/a/b.tar'],
    [true, '', 'https://bucket.s3.test:9000/base/'],
  ])('with a virtual host: %s, returns for the key "%s" %s', (isVirtualHost, key, url) => {
    expect(objectUrl({ endpoint, isVirtualHost }, 'bucket', key).href).toBe(url);
  });

  it('adds the query', () => {
    const url = objectUrl({ endpoint, isVirtualHost: false }, 'b', 'k', {
      uploads: '',
      prefix: 'a b',
    });
    expect(url.search).toBe('?uploads=&prefix=a+b');
  });
});
