import { inBoth } from '#contract/text/language.ts';
import { type Client, type ClientApi, measured, type Part, type Values } from './client.ts';

type Lines = (values: Values) => string;

/** Libraries, and the SDKs of the providers. Their lines read the key from a variable. */
export const libraries: readonly Client[] = [
  library(
    'sdk-node',
    'SDKs for Node',
    'openai 7.59.0, @anthropic-ai/sdk 1.14.0, @google/genai 3.3.0, ollama 0.6.4',
    {
      openai: js('/v1', ({ base }) => `new OpenAI({ apiKey: relayKey, baseURL: '${base}' });`),
      anthropic: js('', ({ base }) => `new Anthropic({ apiKey: relayKey, baseURL: '${base}' });`),
      gemini: js(
        '',
        ({ base }) => `new GoogleGenAI({ apiKey: relayKey, httpOptions: { baseUrl: '${base}' } });`,
      ),
      ollama: js(
        '',
        ({ base }) =>
          `new Ollama({ host: '${base}', headers: { Authorization: \`Bearer \${relayKey}\` } });`,
      ),
    },
  ),
  library('sdk-python', 'SDKs for Python', 'openai 3.57.0, anthropic 2.14.0, google-genai 3.6.1', {
    openai: python('/v1', ({ base }) => `OpenAI(api_key=relay_key, base_url='${base}')`),
    anthropic: python('', ({ base }) => `Anthropic(api_key=relay_key, base_url='${base}')`),
    gemini: python(
      '',
      ({ base }) => `genai.Client(api_key=relay_key, http_options={'base_url': '${base}'})`,
    ),
  }),
  library(
    'ai-sdk',
    'AI SDK',
    '7.0.173: @ai-sdk/openai 4.0.118, openai-compatible 3.0.92, anthropic 4.0.105, google 4.0.121',
    {
      openai: js(
        '/v1',
        ({ base, model }) =>
          `createOpenAI({ baseURL: '${base}', apiKey: relayKey })('${model}');
createOpenAICompatible({ name: 'relay', baseURL: '${base}', apiKey: relayKey })('${model}');`,
      ),
      anthropic: js(
        '/v1',
        ({ base, model }) =>
          `createAnthropic({ baseURL: '${base}', apiKey: relayKey })('${model}');`,
      ),
      gemini: js(
        '/v1beta',
        ({ base, model }) =>
          `createGoogleGenerativeAI({ baseURL: '${base}', apiKey: relayKey })('${model}');`,
      ),
    },
  ),
  library(
    'langchain-python',
    'LangChain for Python',
    'langchain-openai 1.7.4, langchain-anthropic 1.7.10, langchain-google-genai 4.4.3',
    {
      openai: python(
        '/v1',
        ({ base, model }) => `ChatOpenAI(model='${model}', api_key=relay_key, base_url='${base}')`,
      ),
      anthropic: python(
        '',
        ({ base, model }) =>
          `ChatAnthropic(model='${model}', api_key=relay_key, base_url='${base}')`,
      ),
      gemini: python(
        '',
        ({ base, model }) =>
          `ChatGoogleGenerativeAI(model='${model}', google_api_key=relay_key, base_url='${base}')`,
      ),
    },
  ),
  library(
    'langchain-js',
    'LangChain for JavaScript',
    '@langchain/openai 1.6.0, anthropic 1.5.11, google-genai 2.3.2',
    {
      openai: js(
        '/v1',
        ({ base, model }) =>
          `new ChatOpenAI({ model: '${model}', apiKey: relayKey, configuration: { baseURL: '${base}' } });`,
      ),
      anthropic: js(
        '',
        ({ base, model }) =>
          `new ChatAnthropic({ model: '${model}', apiKey: relayKey, anthropicApiUrl: '${base}' });`,
      ),
      gemini: js(
        '',
        ({ base, model }) =>
          `new ChatGoogleGenerativeAI({ model: '${model}', apiKey: relayKey, baseUrl: '${base}' });`,
      ),
    },
  ),
  library('litellm', 'LiteLLM', '1.110.2', {
    openai: completion('openai', '/v1'),
    anthropic: completion('anthropic', ''),
    gemini: completion('gemini', ''),
    ollama: completion('ollama_chat', ''),
  }),
];

interface Call {
  readonly suffix: string;
  readonly part: Part;
}

function library(
  id: string,
  title: string,
  tried: string,
  calls: Partial<Record<ClientApi, Call>> & { readonly openai: Call },
): Client {
  const { openai, ...others } = calls;
  const variantOf = (api: ClientApi, { suffix, part }: Call) => ({ api, suffix, parts: [part] });
  return {
    ...{ id, title: inBoth(title), group: 'libraries', needsTools: false, notes: [] },
    variants: [
      variantOf('openai', openai),
      ...Object.entries(others).map(([api, call]) => variantOf(api as ClientApi, call)),
    ],
    evidence: { tried, date: measured },
  };
}

function js(suffix: string, lines: Lines): Call {
  return { suffix, part: { language: 'js', lines } };
}

function python(suffix: string, lines: Lines): Call {
  return { suffix, part: { language: 'python', lines } };
}

function completion(prefix: string, suffix: string): Call {
  return python(
    suffix,
    ({ base, model }) =>
      `completion(model='${prefix}/${model}', api_base='${base}', api_key=relay_key, messages=messages)`,
  );
}
