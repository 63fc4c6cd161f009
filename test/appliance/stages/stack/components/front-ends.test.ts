import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { renderChat } from '../../../../../appliance/stages/stack/components/chat/configuration.ts';
import { chatLocations } from '../../../../../appliance/stages/stack/components/chat/locations.ts';
import { renderLobe } from '../../../../../appliance/stages/stack/components/lobe/configuration.ts';
import { lobeLocations } from '../../../../../appliance/stages/stack/components/lobe/locations.ts';
import { renderStack } from '../../../../../appliance/stages/stack/render-stack.ts';
import { everything, stackInput } from '../stack-input.ts';

const renderers = { chat: renderChat, lobe: renderLobe };

function variablesOf(
  part: 'chat' | 'lobe',
  site: Record<string, unknown> = {},
  listed: Record<string, string[]> = {},
) {
  const [file] = renderers[part](
    stackInput({ ...everything, ...site }, { providerModels: new Map(Object.entries(listed)) }),
  );
  return parseEnv(file?.content ?? '');
}

describe('the front-ends', () => {
  it('gives front-ends a relay key and the URL of the relay, never those of a provider', () => {
    const text = JSON.stringify([variablesOf('chat'), variablesOf('lobe')]);
    expect(text).not.toContain('_api_key');
    expect(text).not.toContain('https://');
    expect(variablesOf('chat')).toEqual({
      CODE: 'secret-of-chat_access_code',
      BASE_URL: 'http://relay:8080/openai',
      OPENAI_API_KEY: 'secret-of-relay_key_chat',
    });
  });

  it('skip providers whose API they do not have', () => {
    const anthropic = { base_url: 'https://api.anthropic.com/v1', api: 'anthropic' };
    const providers = { anthropic, openai: { base_url: 'https://api.openai.com/v1' } };
    expect(variablesOf('chat', { providers }).BASE_URL).toBe('http://relay:8080/openai');
    expect(variablesOf('lobe', { providers })).toEqual({
      ACCESS_CODE: 'secret-of-lobe_access_code',
      OPENAI_PROXY_URL: 'http://relay:8080/openai/v1',
      OPENAI_API_KEY: 'secret-of-relay_key_lobe',
    });
  });

  it.each([
    ['chat', chatLocations],
    ['lobe', lobeLocations],
  ])('get no header that Next.js sets for itself: %s', (_, locations) => {
    const text = locations('https://$host');
    for (const name of [
      ...[
        'X-Matched-Path',
        'X-Now-Route-Matches',
        'X-Middleware-Subrequest',
        'X-Middleware-Invoke',
      ],
      ...['X-Invoke-Path', 'X-Invoke-Query', 'X-Invoke-Output', 'X-Invoke-Status', 'X-Base-URL'],
      ...['X-Middleware-Rewrite', 'X-Middleware-Prefetch', 'X-Nextjs-Data', 'Next-Resume'],
    ]) {
      expect(text).toContain(`proxy_set_header ${name} "";`);
    }
  });

  it('configure two providers of LobeChat by their names', () => {
    expect(variablesOf('lobe')).toEqual({
      ACCESS_CODE: 'secret-of-lobe_access_code',
      OPENAI_PROXY_URL: 'http://relay:8080/openai/v1',
      OPENAI_API_KEY: 'secret-of-relay_key_lobe',
      DEEPSEEK_PROXY_URL: 'http://relay:8080/deepseek/v1',
      DEEPSEEK_API_KEY: 'secret-of-relay_key_lobe',
    });
  });

  const chinese = {
    zhipu: { base_url: 'https://open.bigmodel.cn/api/paas/v4', models: ['glm-4-flash'] },
    siliconflow: { base_url: 'https://api.siliconflow.cn/v1', models: ['Qwen/Qwen3-8B'] },
  };

  it("offer the provider's own models instead of the list of the front-end", () => {
    expect(variablesOf('chat', { providers: chinese })).toMatchObject({
      BASE_URL: 'http://relay:8080/zhipu',
      CUSTOM_MODELS: '-all,+glm-4-flash@OpenAI',
      DEFAULT_MODEL: 'glm-4-flash',
    });
    expect(variablesOf('lobe', { providers: chinese })).toMatchObject({
      OPENAI_MODEL_LIST: '-all,+glm-4-flash',
      SILICONCLOUD_MODEL_LIST: '-all,+Qwen/Qwen3-8B',
    });
  });

  it('offer the chat models that the provider lists, if the site names none', () => {
    const listed = {
      openai: ['gpt-6', 'text-embedding-4'],
      deepseek: ['deepseek-flash', 'deepseek-v4-pro'],
    };
    expect(variablesOf('chat', {}, listed)).toMatchObject({
      CUSTOM_MODELS: '-all,+gpt-6@OpenAI',
      DEFAULT_MODEL: 'gpt-6',
    });
    expect(variablesOf('lobe', {}, listed)).toMatchObject({
      OPENAI_MODEL_LIST: '-all,+gpt-6',
      DEEPSEEK_MODEL_LIST: '-all,+deepseek-flash,+deepseek-v4-pro',
    });
    const named = { zhipu: ['glm-9'] };
    expect(variablesOf('chat', { providers: chinese }, named).DEFAULT_MODEL).toBe('glm-4-flash');
  });

  it('offer common models of a known provider without a list', () => {
    const providers = { provider: { base_url: 'https://open.bigmodel.cn/api/paas/v4' } };
    expect(variablesOf('chat', { providers }).DEFAULT_MODEL).toBe('glm-5.3');
  });

  it('configure SiliconFlow and Qianfan under the names that LobeChat gives them', () => {
    const { zhipu, siliconflow } = chinese;
    expect(variablesOf('lobe', { providers: { zhipu, siliconflow } })).toMatchObject({
      SILICONCLOUD_PROXY_URL: 'http://relay:8080/siliconflow/v1',
    });
    const qianfan = { base_url: 'https://qianfan.baidubce.com/v2' };
    expect(variablesOf('lobe', { providers: { zhipu, qianfan } })).toMatchObject({
      WENXIN_PROXY_URL: 'http://relay:8080/qianfan/v1',
    });
  });

  it('configure an unknown second provider as openrouter', () => {
    const providers = {
      openai: { base_url: 'https://api.openai.com/v1' },
      'second-provider': { base_url: 'https://llm.example.net/v1' },
    };
    expect(variablesOf('lobe', { providers })).toMatchObject({
      OPENROUTER_PROXY_URL: 'http://relay:8080/second-provider/v1',
    });
  });

  it("use the relay's default without a provider", () => {
    expect(variablesOf('chat', { providers: {} }).BASE_URL).toBe('http://relay:8080');
    expect(variablesOf('lobe', { providers: {} }).OPENAI_PROXY_URL).toBe('http://relay:8080/v1');
  });

  it('renders no files of front-ends that the site disables', () => {
    const paths = renderStack(stackInput({})).map(({ path }) => path);
    expect(paths.filter((path) => /^(?:chat|lobe)\//.test(path))).toEqual([]);
  });
});
