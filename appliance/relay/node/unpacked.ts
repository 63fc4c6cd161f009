import { pipeline, type Readable } from 'node:stream';
import { createGunzip, createInflate } from 'node:zlib';

const unpackers = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
]);

/**
 * Unpacks a body: in a packed one, nothing could be taken out.
 * @throws Error with code ENCODING_UNKNOWN for one that is packed in another way
 */
export function unpacked(body: Readable, headers: Headers): Readable {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity') return body;
  const unpacker = unpackers.get(encoding);
  if (!unpacker) {
    body.destroy();
    throw Object.assign(new Error('the body is packed in an unknown way'), {
      code: 'ENCODING_UNKNOWN',
    });
  }
  // What fails on either side is seen by the reader.
  return pipeline(body, unpacker(), () => {});
}
