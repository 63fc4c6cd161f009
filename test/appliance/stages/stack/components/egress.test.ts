import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { renderAcme } from '../../../../../appliance/stages/stack/components/acme/configuration.ts';
import { renderEngine } from '../../../../../appliance/stages/stack/components/engine/configuration.ts';
import { stackInput } from '../stack-input.ts';

function variablesOf(route: Record<string, unknown>) {
  const [engine, acme] = [renderEngine, renderAcme].map((render) =>
    parseEnv(render(stackInput({ route }))[0]?.content ?? ''),
  );
  return { engine: engine ?? {}, acme: acme ?? {} };
}

describe('the egress of Ollama and lego', () => {
  it('uses a direct egress for Ollama and lego by default', () => {
    expect(variablesOf({ mode: 'direct' })).toEqual({ engine: {}, acme: {} });
  });

  it('uses the proxy of the site, except for the ollama command', () => {
    const { engine, acme } = variablesOf({ mode: 'http-proxy', url: 'http://10.0.0.2:7890' });
    expect(engine.HTTPS_PROXY).toBe('http://10.0.0.2:7890');
    expect(engine.NO_PROXY).toContain('localhost,127.0.0.1');
    expect(acme.HTTPS_PROXY).toBe('http://10.0.0.2:7890');
  });

  it('never sets HTTP_PROXY for Ollama, which would break the ollama command', () => {
    const { engine } = variablesOf({ mode: 'http-proxy', url: 'http://10.0.0.2:7890' });
    expect(Object.keys(engine).sort()).toEqual(['HTTPS_PROXY', 'NO_PROXY']);
  });

  it('writes the egress to a secret file, because it may contain a password', () => {
    const route = { mode: 'http-proxy', url: 'http://me:pass@10.0.0.2:7890' };
    const input = stackInput({ route });
    for (const { mode } of [...renderEngine(input), ...renderAcme(input)]) expect(mode).toBe(0o400);
  });
});
