import { describe, expect, it } from 'vitest';
import { hexOf } from '#contract/trust/digest.ts';
import { HttpClient } from '#http/client.ts';
import { silentReporter } from '../../../../builder/base/progress/reporter.ts';
import { OutsideFiles, throughHubMirror } from '../../../../builder/inputs/sources/outside-file.ts';
import { html } from '../../../faulty-server/faults.ts';
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

  await files.obtain({ ...wanted, size: 1000 }, 'Node');

  const absent = { ...wanted, sha256: hexOf(descriptorOf(contentOf(1001)).digest), size: 1001 };
  await expect(files.obtain(absent, 'Node')).rejects.toMatchObject({ code: 'TOOL_MISSING' });
  await rig.close();
});

it('rejects a web page instead of a file, without another attempt', async () => {
  const rig = await Rig.start({ '/file': html() });
  const { store, downloader, statistics } = rig;
  const http = new HttpClient({ env: {} });
  const parts = { http, downloader, store, statistics, reporter: silentReporter, env: {} };
  const files = new OutsideFiles(parts);
  const { href } = rig.server.url('/file');
  const refusal = { code: 'REGISTRY_PROTOCOL', hint: expect.stringContaining('login page') };
  await expect(files.measure([href])).rejects.toMatchObject(refusal);
  const wanted = { urls: [href], sha256: '0'.repeat(64), size: 1000 };
  await expect(files.obtain(wanted, 'Node')).rejects.toMatchObject(refusal);
  expect(rig.server.seen()).toHaveLength(2);
  await http.close();
  await rig.close();
});

const file = new URL('https://huggingface.co/Qwen/Qwen3-0.6B-GGUF/resolve/main/q8.gguf?download=1');

describe('a file of the model hub', () => {
  it.each([
    ['https://hub.example.cn', 'https://hub.example.cn/Qwen/'],
    ['https://hub.example.cn/', 'https://hub.example.cn/Qwen/'],
    ['http://10.0.0.2:8080/hf/', 'http://10.0.0.2:8080/hf/Qwen/'],
  ])('fetches a file of the model hub from the mirror %s', (HF_ENDPOINT, begin) => {
    const { href } = throughHubMirror(file, { HF_ENDPOINT });
    expect(href).toBe(`${begin}Qwen3-0.6B-GGUF/resolve/main/q8.gguf?download=1`);
  });

  it.each([{}, { HF_ENDPOINT: '' }])(
    'downloads a file from the model hub if there is no mirror',
    (env) => {
      expect(throughHubMirror(file, env)).toBe(file);
    },
  );

  it.each(['hub.example.cn', 'ftp://hub.example.cn', 'not a url'])(
    'rejects the mirror %s of the model hub, which is not a URL',
    (HF_ENDPOINT) => {
      expect(() => throughHubMirror(file, { HF_ENDPOINT })).toThrow('HF_ENDPOINT');
    },
  );
});

describe('a file of another host', () => {
  it('keeps the URL of a file of another host than the model hub', () => {
    const other = new URL('https://example.com/huggingface.co/q8.gguf');
    expect(throughHubMirror(other, { HF_ENDPOINT: 'https://hub.example.cn' })).toBe(other);
  });
});
