import type { Handler } from '../serve.ts';
import { accounts } from './accounts.ts';
import { ChatLists } from './chat-lists.ts';
import { Chats, isFirstMessage } from './chats.ts';
import { openDatabase } from './database.ts';
import { Documents } from './documents.ts';
import { ModelEntries } from './model-entries.ts';
import { complete, models } from './models.ts';
import { shell } from './page.ts';
import { form, messages, refusal } from './replies.ts';
import type { UiSettings } from './settings.ts';
import { type Claims, readToken, signToken } from './tokens.ts';
import { type User, Users } from './users.ts';
import { normalVariant, type Variant } from './variants.ts';

/** What the program keeps in its data volume. */
interface State {
  readonly variant: Variant;
  readonly users: Users;
  readonly entries: ModelEntries;
  readonly chats: Chats;
  readonly lists: ChatLists;
  readonly documents: Documents;
}

/**
 * The endpoints of Open WebUI's API that the stack uses: health, sign-in, sign-up, accounts, models,
 * chats, documents. The first user to sign up becomes administrator, unless the settings created one
 * before.
 * @throws Error when the database cannot be migrated
 */
export function uiApp(settings: UiSettings, variant: Variant = normalVariant): Handler {
  const { admin } = settings;
  const database = openDatabase(settings.data, variant);
  const entries = new ModelEntries(database);
  const users = new Users(database);
  const chats = new Chats(database, variant.revision, settings, entries);
  const documents = new Documents(database, settings);
  const lists = new ChatLists(database);
  const state = { variant, users, entries, documents, chats, lists };
  if (users.count === 0 && admin.email && admin.password) {
    users.add(admin.email, admin.password, admin.name, 'admin');
  }
  return async (request) => {
    const response = await answer(request, settings, state);
    for (const [name, value] of Object.entries(settings.headers)) response.headers.set(name, value);
    return response;
  };
}

async function answer(request: Request, settings: UiSettings, state: State): Promise<Response> {
  const { users, documents, variant } = state;
  const { pathname } = new URL(request.url);
  switch (`${request.method} ${pathname}`) {
    case 'GET /health':
    case 'GET /ready':
      return Response.json({ status: true });
    case 'GET /api/version':
      return Response.json({ version: variant.version });
    case 'GET /api/config':
      return Response.json(configuration(settings, state));
    case 'POST /api/v1/auths/signin':
      return await signIn(request, settings, users);
    case 'POST /api/v1/auths/signup':
      return await signUp(request, settings, users);
  }
  if (!pathname.startsWith('/api/')) {
    // Every other path returns the page: a status of 200 proves nothing here.
    return new Response(shell, { headers: { 'content-type': 'text/html; charset=utf-8' } });
  }
  const isSmoke = ['/api/chat/completions', '/api/v1/files/'].includes(pathname);
  if (variant.fault === 'fails-smoke' && isSmoke) return refusal(500, 'Internal Server Error');
  const user = userOf(request, settings, users);
  if (!user) return refusal(401, 'Not authenticated');
  if (user.role === 'pending') return refusal(401, 'Account is not active');
  return (
    (await documents.answer(request, pathname, user)) ??
    (await state.entries.answer(request, pathname, user)) ??
    (await state.lists.answer(request, pathname, user)) ??
    state.chats.answer(request, pathname, user) ??
    (await accounts(request, pathname, user, users)) ??
    (await answerUser(request, pathname, user, settings, state))
  );
}

async function answerUser(
  request: Request,
  pathname: string,
  user: User,
  settings: UiSettings,
  { entries, chats }: State,
): Promise<Response> {
  const mayUse = (model: string) => settings.modelsForEveryone || entries.allows(user, model);
  switch (`${request.method} ${pathname}`) {
    case 'GET /api/v1/auths/':
      if (!isHuman(request, settings)) return refusal(403, 'A human session is required.');
      return Response.json(session(user, signToken(user, settings.secretKey)));
    case 'GET /api/models':
      return await models(settings, mayUse);
    case 'POST /api/chat/completions': {
      const body = (await request.json()) as { model?: string };
      if (isFirstMessage(body)) return chats.start(body, user);
      if (!mayUse(body.model ?? '')) return refusal(403, 'Model not found');
      return await complete(body, settings);
    }
    default:
      return refusal(404, 'Not Found');
  }
}

function configuration(settings: UiSettings, { users, variant }: State): object {
  return {
    ...(users.count === 0 ? { onboarding: true } : {}),
    status: true,
    name: 'Open WebUI',
    version: variant.version,
    default_locale: '',
    default_models: settings.defaultModels,
    features: {
      auth: true,
      enable_signup: settings.signup,
      enable_login_form: true,
      enable_websocket: true,
    },
  };
}

async function signIn(request: Request, settings: UiSettings, users: Users): Promise<Response> {
  const { email = '', password = '' } = await form(request);
  if (users.signIns.exceeds(email.toLowerCase())) return refusal(429, 'API rate limit exceeded');
  const user = users.byPassword(email.toLowerCase(), password);
  const complaint =
    'The email or password provided is incorrect. Please check for typos and try logging in again.';
  return user ? signedIn(user, settings) : refusal(400, complaint);
}

async function signUp(request: Request, settings: UiSettings, users: Users): Promise<Response> {
  const { email = '', password = '', name = '' } = await form(request);
  const first = users.count === 0;
  if (!settings.signup && !(first && settings.initialAdminSignup)) {
    return refusal(403, messages.prohibited);
  }
  if (!email.includes('@')) return refusal(400, 'The email format you entered is invalid.');
  if (users.byEmail(email.toLowerCase())) {
    return refusal(400, 'Uh-oh! This email is already registered.');
  }
  const role = first ? 'admin' : settings.defaultRole;
  return signedIn(users.add(email.toLowerCase(), password, name, role), settings);
}

function signedIn(user: User, settings: UiSettings): Response {
  const token = signToken(user, settings.secretKey);
  const response = Response.json(session(user, token));
  const secure = settings.secureCookies ? '; Secure' : '';
  response.headers.set(
    'set-cookie',
    `token=${token}; HttpOnly; Path=/; SameSite=${settings.sameSite}${secure}`,
  );
  return response;
}

function session({ id, email, name, role }: User, token: string): object {
  return {
    ...{ token, token_type: 'Bearer', expires_at: null },
    ...{ id, email, name, role, profile_image_url: '/user.png', permissions: {} },
  };
}

function userOf(request: Request, settings: UiSettings, users: Users): User | undefined {
  const claims = claimsOf(request, settings);
  return claims && users.bySession(claims);
}

/** Returns whether a person has signed in (utils/auth.py, get_human_user). */
function isHuman(request: Request, settings: UiSettings): boolean {
  return (claimsOf(request, settings)?.typ ?? 'session') === 'session';
}

function claimsOf(request: Request, { secretKey }: UiSettings): Claims | undefined {
  const bearer = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1];
  const cookie = /(?:^|; )token=([^;]+)/.exec(request.headers.get('cookie') ?? '')?.[1];
  return readToken(bearer ?? cookie ?? '', secretKey);
}
