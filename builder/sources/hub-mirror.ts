import { LandfallError } from '#contract/errors.ts';

const hub = 'https://huggingface.co';

/**
 * Rewrites a URL of the model hub to the mirror in HF_ENDPOINT (SPEC 2.2), as the hub's own client
 * does. Returns every other URL unchanged. The content is verified against the lock either way.
 * @throws LandfallError USAGE when the variable is not a URL
 */
export function throughHubMirror(url: URL, { HF_ENDPOINT: mirror }: NodeJS.ProcessEnv): URL {
  if (!mirror || url.origin !== hub) return url;
  const base = URL.parse(mirror);
  if (base === null || !/^https?:$/.test(base.protocol)) {
    throw new LandfallError('USAGE', 'HF_ENDPOINT is not an http or https URL', {
      hint: 'Set a URL, for example HF_ENDPOINT=https://hub.example.cn.',
    });
  }
  const folder = base.pathname.replace(/\/+$/, '');
  return new URL(`${base.origin}${folder}${url.pathname}${url.search}`);
}
