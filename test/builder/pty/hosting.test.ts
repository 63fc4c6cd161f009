import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTerminal, keys, landfall } from '../../pty/terminal.ts';
import { freePort } from '../../setup/free-port.ts';
import { ObjectStore, storeKey } from '../../stand-ins/object-store/object-store.ts';
import { bundleOf, OutputFolder } from '../deliver/hosting/release-folder.ts';

const { tar } = OutputFolder;

let folder: OutputFolder;
let store: ObjectStore;
beforeAll(async () => {
  folder = await OutputFolder.create(bundleOf(30_000_000));
  store = await ObjectStore.start();
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

function start(line: string) {
  const env = {
    AWS_ACCESS_KEY_ID: storeKey.id,
    AWS_SECRET_ACCESS_KEY: storeKey.secret,
    AWS_REGION: storeKey.region,
    AWS_ENDPOINT_URL_S3: store.endpoint,
  };
  return inTerminal([...landfall, ...line.split(' ')], { cwd: folder.path, env });
}

describe('landfall serve on a terminal', () => {
  it('shows a running download, and ends on Ctrl-C with exit code 0', async () => {
    const port = await freePort();
    const run = start(`serve . --listen 127.0.0.1:${port}`);
    await run.shows('press Ctrl-C to stop');
    // Without a reader, the download cannot end before Ctrl-C.
    const response = await fetch(`http://127.0.0.1:${port}/${tar}`);
    await run.shows('ar to 127.0.0.1');
    run.type(keys.interrupt);
    const { status, text } = await run.end();
    await expect(response.arrayBuffer()).rejects.toThrow();
    expect(text).toContain(`interrupted ${tar} to 127.0.0.1`);
    expect(text).toContain('stopped: 0 files');
    expect(status).toBe(0);
  });

  it('rejects a file that is not a bundle', async () => {
    const { status, text } = await start('serve site.yaml').end();
    expect(text).toContain('FILE_MISSING');
    expect(status).toBe(8);
  });
});

describe('landfall upload on a terminal', () => {
  it('uploads and names the files', async () => {
    const { status, text } = await start('upload . --to s3://releases/a').end();
    expect(text).toContain('uploaded  4 of 4 files');
    expect(status).toBe(0);
  });

  it('ends on Ctrl-C during an upload', async () => {
    const reached = Promise.withResolvers<void>();
    store.refuse = ({ target }) => {
      if (target.includes('partNumber')) reached.resolve();
      return target.includes('partNumber') ? { status: 503, code: 'SlowDown' } : undefined;
    };
    const run = start('upload . --to s3://releases/b');
    await reached.promise;
    run.type(keys.interrupt);
    expect((await run.end()).status).toBe(130);
    store.refuse = () => undefined;
  });

  it('rejects a target', async () => {
    const { status, text } = await start('upload . --to ftp://host/a').end();
    expect(text).toContain('USAGE');
    expect(status).toBe(2);
  });
});
