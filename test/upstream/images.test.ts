import { describe, expect, it } from 'vitest';
import { givenImages, variableOf } from './images.ts';

describe('images to test', () => {
  it('come from one variable per component', () => {
    const digest = `@sha256:${'a'.repeat(64)}`;
    const environment = {
      LANDFALL_UPSTREAM_ENGINE: 'ollama/ollama:0.35.1',
      LANDFALL_UPSTREAM_UI: `ghcr.io/open-webui/open-webui${digest}`,
      LANDFALL_UPSTREAM_CHAT: '',
      HOME: '/root',
    };
    expect(givenImages(environment)).toEqual({
      images: {
        engine: 'ollama/ollama:0.35.1',
        ui: `ghcr.io/open-webui/open-webui${digest}`,
      },
      problems: [],
    });
  });

  it('may be in a registry with a port', () => {
    const image = '127.0.0.1:5000/library/nginx:1.30.7-alpine';
    expect(givenImages({ [variableOf('gateway')]: image }).images).toEqual({ gateway: image });
  });

  // With a misspelt name, the stand-ins would be tested and pass.
  it('rejects images to test under any other name, with all problems at once', () => {
    const { problems } = givenImages({
      LANDFALL_UPSTREAM_OLLAMA: 'ollama/ollama:0.35.1',
      LANDFALL_UPSTREAM_UI: 'ghcr.io/open-webui/open-webui',
      LANDFALL_UPSTREAM_LOBE: '--privileged',
    });
    expect(problems).toHaveLength(3);
    expect(problems[0]).toContain('LANDFALL_UPSTREAM_ENGINE');
    expect(problems[1]).toContain('is not an image reference');
  });
});
