import { randomBytes } from 'node:crypto';

/** What the page reads from its environment: Open WebUI's own variables and defaults. */
export interface UiSettings {
  readonly port: number;
  readonly engine: string;
  readonly secretKey: string;
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
}

export function readSettings(env: NodeJS.ProcessEnv): UiSettings {
  return {
    port: Number(env.PORT || 8080),
    engine: (env.OLLAMA_BASE_URL || 'http://localhost:11434').replace(/\/$/, ''),
    // Without a key of its own the original makes one that is lost with the container.
    secretKey: env.WEBUI_SECRET_KEY || randomBytes(18).toString('base64'),
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
  };
}

function isTrue(value: string | undefined, otherwise: boolean): boolean {
  return value === undefined ? otherwise : value.toLowerCase() === 'true';
}
