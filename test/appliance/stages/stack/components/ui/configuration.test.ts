import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { renderUi } from '../../../../../../appliance/stages/stack/components/ui/configuration.ts';
import { everything, stackInput } from '../../stack-input.ts';

function variablesOf(secrets: Record<string, string>, site: object = everything) {
  const [file] = renderUi({ ...stackInput({ ...site }), secrets });
  return parseEnv(file?.content ?? '');
}

const relay = { RELAY_KEY_UI: 'of-the-ui', RELAY_KEY_OWNER: 'of-the-owner' };

describe('the settings of the chat UI', () => {
  it('contain each provider with a key, at its path of the relay, with the key of the UI', () => {
    const keys = { OPENAI_API_KEY: 'sk-1', DEEPSEEK_API_KEY: 'sk-2' };
    expect(variablesOf({ ...relay, ...keys })).toMatchObject({
      ENABLE_OPENAI_API: 'True',
      OPENAI_API_BASE_URLS: 'http://relay:8080/openai/v1;http://relay:8080/deepseek/v1',
      OPENAI_API_KEYS: 'of-the-ui;of-the-ui',
    });
  });

  it('contain the models that the site names for a provider, at the position of its base URL', () => {
    const keys = { OPENAI_API_KEY: 'sk-1', DEEPSEEK_API_KEY: 'sk-2' };
    const providers = {
      openai: { base_url: 'https://api.openai.com/v1' },
      deepseek: { base_url: 'https://api.deepseek.com/v1', models: ['deepseek-chat'] },
    };
    const { OPENAI_API_CONFIGS = '' } = variablesOf({ ...relay, ...keys }, { providers });
    expect(JSON.parse(OPENAI_API_CONFIGS)).toEqual({
      0: { model_ids: [] },
      1: { model_ids: ['deepseek-chat'] },
    });
  });

  it('contain suggestions in Chinese for a site in Chinese', () => {
    const name = 'DEFAULT_PROMPT_SUGGESTIONS';
    expect(variablesOf(relay)).not.toHaveProperty(name);
    const suggestions = JSON.parse(
      variablesOf(relay, { ...everything, language: 'zh' })[name] ?? '[]',
    );
    expect(suggestions.length).toBeGreaterThan(2);
    for (const suggestion of suggestions) {
      expect(suggestion).toEqual({
        title: [expect.stringMatching(/\p{Script=Han}/u), expect.stringMatching(/\p{Script=Han}/u)],
        content: expect.stringMatching(/\p{Script=Han}/u),
      });
    }
  });

  it('let the relay know the user only if users have a budget', () => {
    const settingsOf = (site: object) => {
      const input = stackInput({ ...everything, ...site });
      const [file] = renderUi({ ...input, secrets: { OPENAI_API_KEY: 'sk-1' } });
      return parseEnv(file?.content ?? '');
    };
    const name = 'ENABLE_FORWARD_USER_INFO_HEADERS';
    expect(settingsOf({})).not.toHaveProperty(name);
    const relay = { ui: { tokens_per_day_per_user: 100_000 } };
    expect(settingsOf({ relay })).toHaveProperty(name, 'True');
  });

  it('omit a provider without a key', () => {
    expect(variablesOf({ ...relay, DEEPSEEK_API_KEY: 'sk-2' })).toMatchObject({
      OPENAI_API_BASE_URLS: 'http://relay:8080/deepseek/v1',
      OPENAI_API_KEYS: 'of-the-ui',
    });
  });

  it("contain only providers with OpenAI's API, and own machines without a key", () => {
    const providers = {
      anthropic: { base_url: 'https://api.anthropic.com/v1', api: 'anthropic' },
      gemini: { base_url: 'https://gemini.example/v1beta', api: 'gemini' },
      gpu: { base_url: 'http://10.0.0.5:8000/v1', plain: 'i-understand' },
    };
    const keys = { ANTHROPIC_API_KEY: 'sk-1', GEMINI_API_KEY: 'sk-2' };
    expect(variablesOf({ ...relay, ...keys }, { providers })).toMatchObject({
      OPENAI_API_BASE_URLS: 'http://relay:8080/gpu/v1',
    });
    const { gpu: _own, ...others } = providers;
    expect(variablesOf({ ...relay, ...keys }, { providers: others })).toMatchObject({
      ENABLE_OPENAI_API: 'False',
    });
  });

  it('disable hosted models if no provider has a key', () => {
    const variables = variablesOf(relay);
    expect(variables.ENABLE_OPENAI_API).toBe('False');
    expect(variables).not.toHaveProperty('OPENAI_API_KEYS');
  });

  // Open WebUI adds 36 tools to each request of a browser, which do not fit into a small context.
  it('turn off the built-in tools, unless the site asks for them', () => {
    const settingsOf = (site: object) => {
      const [file] = renderUi(stackInput({ ...everything, ...site }));
      return JSON.parse(parseEnv(file?.content ?? '').DEFAULT_MODEL_PARAMS ?? '');
    };
    expect(settingsOf({})).toEqual({ function_calling: 'legacy' });
    expect(settingsOf({ ui: { function_calling: 'native' } })).toEqual({});
  });
});
