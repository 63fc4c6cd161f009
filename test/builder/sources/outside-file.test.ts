import { expect, it } from 'vitest';
import { hexOf } from '#contract/trust/digest.ts';
import { HttpClient } from '#http/client.ts';
import { silentReporter } from '../../../builder/progress/reporter.ts';
import { OutsideFiles } from '../../../builder/sources/outside-file.ts';
import { contentOf, descriptorOf, Rig } from '../blobs/rig.ts';

it('takes a file from the store without running npm', async () => {
  const rig = await Rig.start({});
  const { store, downloader, statistics } = rig;
  // In this environment, there is no npm.
  const env = { PATH: '/nonexistent' };
  const http = new HttpClient({ env });
  const files = new OutsideFiles({
    http,
    downloader,
    store,
    reporter: silentReporter,
    statistics,
    env,
  });
  const bytes = contentOf(1000);
  const { digest } = await store.put(bytes, 'application/octet-stream');
  const wanted = { urls: ['npm:node@1.2.3'], sha256: hexOf(digest) };

  const stored = await files.obtain({ ...wanted, size: 1000 }, 'Node');
  expect(stored).toEqual({ digest, size: 1000 });

  const absent = { ...wanted, sha256: hexOf(descriptorOf(contentOf(1001)).digest), size: 1001 };
  await expect(files.obtain(absent, 'Node')).rejects.toMatchObject({ code: 'TOOL_MISSING' });
  await rig.close();
});
