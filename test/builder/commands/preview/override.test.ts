import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { renderOverride } from '../../../../builder/commands/preview/override.ts';

const input = {
  project: 'landfall-preview-demo',
  ports: { https: 8443, http: 8088, ui: 3000, docs: 8090 },
  services: ['engine', 'ui', 'gateway'],
};
/** The tags of Compose have no meaning for a YAML parser. */
const parsed = () => parse(renderOverride(input), { logLevel: 'silent' }).services;

describe('the Compose file of a preview', () => {
  it('names images and containers after the preview', () => {
    expect(parsed().engine.image).toBe('landfall.local/landfall-preview-demo/engine:${ENGINE_TAG}');
    expect(renderOverride(input).match(/container_name: !reset null/g)).toHaveLength(3);
  });

  it('replaces the ports of the gateway by ports on the loopback address', () => {
    expect(renderOverride(input)).toContain('    ports: !override\n');
    expect(parsed().gateway.ports).toEqual([
      '127.0.0.1:8443:443',
      '127.0.0.1:8088:80',
      '127.0.0.1:8090:8090',
    ]);
    expect(parsed().ui.ports).toBeUndefined();
  });

  it('does not start containers with the computer', () => {
    expect(parsed().ui.restart).toBe('on-failure');
  });

  it('allows the origins of the chat UI, with their ports', () => {
    expect(parsed().ui.environment.WEBUI_URL).toBe('https://localhost:8443');
    expect(parsed().ui.environment.CORS_ALLOW_ORIGIN.split(';')).toContain(
      'https://127.0.0.1:8443',
    );
  });

  it("clears proxy variables that the user's Docker client adds", () => {
    expect(parsed().engine.environment).toMatchObject({ HTTPS_PROXY: '', https_proxy: '' });
  });
});
