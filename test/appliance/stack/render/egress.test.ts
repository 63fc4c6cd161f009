import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { renderEgress } from '../../../../appliance/stack/render/egress.ts';
import { stackInput } from '../stack-input.ts';

function variablesOf(route: Record<string, unknown>) {
  const { engine, acme } = renderEgress(stackInput({ route }));
  return {
    engine: parseEnv(engine[0]?.content ?? ''),
    acme: parseEnv(acme[0]?.content ?? ''),
  };
}

describe('the way out of the engine and the certificate client', () => {
  it('is direct where the site says nothing', () => {
    expect(variablesOf({ mode: 'direct' })).toEqual({ engine: {}, acme: {} });
  });

  it('is the proxy of the site, and its own client goes past it', () => {
    const { engine, acme } = variablesOf({ mode: 'http-proxy', url: 'http://10.0.0.2:7890' });
    expect(engine.HTTPS_PROXY).toBe('http://10.0.0.2:7890');
    expect(engine.NO_PROXY).toContain('localhost,127.0.0.1');
    expect(acme.HTTPS_PROXY).toBe('http://10.0.0.2:7890');
  });

  it('never is HTTP_PROXY for the engine, which would break its client', () => {
    const { engine } = variablesOf({ mode: 'http-proxy', url: 'http://10.0.0.2:7890' });
    expect(Object.keys(engine).sort()).toEqual(['HTTPS_PROXY', 'NO_PROXY']);
  });

  it('is kept from others, because it may hold a password', () => {
    const route = { mode: 'http-proxy', url: 'http://me:pass@10.0.0.2:7890' };
    const { engine, acme } = renderEgress(stackInput({ route }));
    for (const { mode } of [...engine, ...acme]) expect(mode).toBe(0o400);
  });
});
