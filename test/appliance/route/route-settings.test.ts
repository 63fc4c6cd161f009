import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proxyEnv } from '../../../appliance/route/route-settings.ts';

const route = {
  mode: 'http-proxy' as const,
  url: 'http://me:a%24b;c&d*(e)@10.0.0.2:7890',
  no_proxy: ['.corp.example', '*.lan'],
};

describe('the proxy variables', () => {
  it('returns no proxy variables for a direct route', () => {
    expect(proxyEnv({ route: { mode: 'direct' } })).toBeUndefined();
  });

  it('sets the local HTTP proxy for SOCKS, which most programs do not support', () => {
    const socks = { mode: 'socks5' as const, url: 'socks5h://me:x@10.0.0.2:7891', no_proxy: [] };
    expect(proxyEnv({ route: socks })).toContain("HTTPS_PROXY='http://127.0.0.1:7890'\n");
    expect(proxyEnv({ route: socks })).not.toContain('me:x');
  });

  it('set six variables in a shell, with any password', () => {
    const folder = mkdtempSync(join(tmpdir(), 'landfall-env-'));
    try {
      writeFileSync(join(folder, 'proxy.env'), proxyEnv({ route }) ?? '');
      const script = '. ./proxy.env; echo "$http_proxy"; echo "$HTTPS_PROXY"; echo "$no_proxy"';
      const out = execFileSync('sh', ['-c', script], { cwd: folder, env: {}, encoding: 'utf8' });
      const [lower, upper, exempt] = out.split('\n');
      expect([lower, upper]).toEqual([route.url, route.url]);
      expect(exempt).toMatch(/^localhost,127\.0\.0\.1,.*,\.corp\.example,\*\.lan,\.lan$/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
