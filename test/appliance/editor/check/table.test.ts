import { describe, expect, it } from 'vitest';
import type { HostResult } from '#editor/check/check-hosts.ts';
import { remedies } from '#editor/check/remedies.ts';
import { checkTable } from '#editor/check/table.ts';

const good: HostResult = {
  ...{ host: 'api.example', purpose: 'AI', outcome: 'connected', milliseconds: 412 },
};

describe('the table of a check', () => {
  it('is aligned and ends with Connected', () => {
    const slow: HostResult = { ...good, host: 'auth.vendor.example', purpose: 'sign-in' };
    const results: HostResult[] = [good, { ...slow, outcome: 'slow', milliseconds: 12_345 }];
    expect(checkTable(results).split('\n')).toEqual([
      'ok    api.example          AI       0.4 s',
      'slow  auth.vendor.example  sign-in   12 s',
      '',
      'A reply takes more than 2.0 s. Use a faster proxy, or one closer to you.',
      '',
      'Connected',
    ]);
  });

  it('has each remedy once, and ends with Not connected', () => {
    const failed: HostResult = {
      ...good,
      ...{ outcome: 'failed', milliseconds: 0, detail: 'why', remedy: 'tls-error' },
    };
    expect(checkTable([failed, failed]).split('\n')).toEqual([
      'FAILED  api.example  AI    why',
      'FAILED  api.example  AI    why',
      '',
      remedies['tls-error'],
      '',
      'Not connected',
    ]);
  });
});
