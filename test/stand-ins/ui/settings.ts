import { randomBytes } from 'node:crypto';

/** Settings from its environment: Open WebUI's own variables and defaults. */
export interface UiSettings {
  readonly port: number;
  readonly engine: string;
  readonly secretKey: string;
  /** Embedding endpoint for documents: Ollama and a model there, or both unset. */
  readonly embedding: { readonly engine: string; readonly model: string };
  /** Separated by commas; the first is the default of a new chat. */
  readonly defaultModels: string;
  /** Services with OpenAI's API, each with its key; empty when disabled. */
  readonly hosted: ReadonlyArray<{
    readonly base: string;
    readonly key: string;
    /** Replace the list of the service; empty for none. */
    readonly models: readonly string[];
  }>;
  readonly admin: { readonly email: string; readonly password: string; readonly name: string };
  readonly signup: boolean;
  readonly initialAdminSignup: boolean;
  readonly defaultRole: string;
  /** `*`, or origins. */
  readonly origins: readonly string[];
  readonly secureCookies: boolean;
  readonly sameSite: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly data: string;
  /** How models call tools, unless a chat sets it: `native` adds the built-in tools. */
  readonly functionCalling: string;
  /** Whether every account may use every model. */
  readonly modelsForEveryone: boolean;
  /** What is generated after a reply. */
  readonly tasks: { readonly title: boolean; readonly tags: boolean; readonly followUps: boolean };
}

export function readSettings(env: NodeJS.ProcessEnv): UiSettings {
  return {
    port: Number(env.PORT || 8080),
    engine: (env.OLLAMA_BASE_URL || 'http://localhost:11434').replace(/\/$/, ''),
    // Without a key, the original generates one that is lost with the container.
    secretKey: env.WEBUI_SECRET_KEY || randomBytes(18).toString('base64'),
    embedding: {
      engine: env.RAG_EMBEDDING_ENGINE ?? '',
      model: env.RAG_EMBEDDING_MODEL || 'sentence-transformers/all-MiniLM-L6-v2',
    },
    defaultModels: env.DEFAULT_MODELS ?? '',
    hosted: isTrue(env.ENABLE_OPENAI_API, true) ? hostedIn(env) : [],
    admin: {
      email: env.WEBUI_ADMIN_EMAIL ?? '',
      password: env.WEBUI_ADMIN_PASSWORD ?? '',
      name: env.WEBUI_ADMIN_NAME || 'Admin',
    },
    signup: isTrue(env.ENABLE_SIGNUP, true),
    initialAdminSignup: isTrue(env.ENABLE_INITIAL_ADMIN_SIGNUP, false),
    defaultRole: env.DEFAULT_USER_ROLE || 'pending',
    origins: (env.CORS_ALLOW_ORIGIN || '*').split(';'),
    secureCookies: isTrue(env.WEBUI_SESSION_COOKIE_SECURE, false),
    sameSite: env.WEBUI_SESSION_COOKIE_SAME_SITE || 'lax',
    headers: {
      ...(env.XFRAME_OPTIONS ? { 'x-frame-options': env.XFRAME_OPTIONS } : {}),
      ...(env.XCONTENT_TYPE ? { 'x-content-type-options': env.XCONTENT_TYPE } : {}),
      ...(env.REFERRER_POLICY ? { 'referrer-policy': env.REFERRER_POLICY } : {}),
    },
    data: env.DATA_DIR || '/app/backend/data',
    functionCalling: functionCallingIn(env.DEFAULT_MODEL_PARAMS || '{}'),
    modelsForEveryone: isTrue(env.BYPASS_MODEL_ACCESS_CONTROL, false),
    tasks: {
      title: isTrue(env.ENABLE_TITLE_GENERATION, true),
      tags: isTrue(env.ENABLE_TAGS_GENERATION, true),
      followUps: isTrue(env.ENABLE_FOLLOW_UP_GENERATION, true),
    },
  };
}

function functionCallingIn(params: string): string {
  const { function_calling } = JSON.parse(params) as { function_calling?: string };
  return function_calling ?? 'native';
}

/** Lists separated by semicolons, as many keys as URLs, and an object by the position of the URL. */
function hostedIn(env: NodeJS.ProcessEnv): UiSettings['hosted'] {
  const keys = (env.OPENAI_API_KEYS ?? '').split(';');
  const configs = JSON.parse(env.OPENAI_API_CONFIGS || '{}') as Record<
    string,
    { model_ids?: string[] }
  >;
  return (env.OPENAI_API_BASE_URLS || 'https://api.openai.com/v1')
    .split(';')
    .map((base, index) => ({
      base: base.replace(/\/$/, ''),
      key: keys[index] ?? '',
      models: configs[index]?.model_ids ?? [],
    }));
}

function isTrue(value: string | undefined, otherwise: boolean): boolean {
  return value === undefined ? otherwise : value.toLowerCase() === 'true';
}
