import type { Handler } from '../serve.ts';
import { Chats, isFirstMessage } from './chats.ts';
import { openDatabase } from './database.ts';
import { Documents } from './documents.ts';
import { ModelEntries } from './model-entries.ts';
import { complete, models } from './models.ts';
import { shell } from './page.ts';
import type { UiSettings } from './settings.ts';
import { readToken, signToken } from './tokens.ts';
import { type User, Users } from './users.ts';

const version = '0.12.4';

/** What the program keeps: in its data volume, except the documents. */
interface State {
  readonly users: Users;
  readonly entries: ModelEntries;
  readonly chats: Chats;
  readonly documents: Documents;
}

/**
 * The endpoints of Open WebUI's API that the stack uses: health, sign-in, sign-up, accounts, models,
 * chats, documents. The first user to sign up becomes administrator, unless the settings created one
 * before.
 */
export function uiApp(settings: UiSettings, documents = new Documents()): Handler {
  const { admin } = settings;
  const database = openDatabase(settings.data);
  const entries = new ModelEntries(database);
  const users = new Users(database);
  const state = { users, entries, documents, chats: new Chats(database, settings, entries) };
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
  const { users, documents } = state;
  const { pathname } = new URL(request.url);
  switch (`${request.method} ${pathname}`) {
    case 'GET /health':
    case 'GET /ready':
      return Response.json({ status: true });
    case 'GET /api/version':
      return Response.json({ version });
    case 'GET /api/config':
      return Response.json(configuration(settings, users));
    case 'POST /api/v1/auths/signin':
      return await signIn(request, settings, users);
    case 'POST /api/v1/auths/signup':
      return await signUp(request, settings, users);
  }
  if (!pathname.startsWith('/api/')) {
    // Every other path returns the page: a status of 200 proves nothing here.
    return new Response(shell, { headers: { 'content-type': 'text/html; charset=utf-8' } });
  }
  const user = userOf(request, settings, users);
  if (!user) return refusal(401, 'Not authenticated');
  if (user.role === 'pending') return refusal(401, 'Account is not active');
  return (
    (await documents.answer(request, pathname, settings)) ??
    (await state.entries.answer(request, pathname, user)) ??
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
      return Response.json(session(user, signToken(user.id, settings.secretKey)));
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

/** Adds and removes accounts (routers/auths.py, routers/users.py); undefined for other requests. */
async function accounts(
  request: Request,
  pathname: string,
  user: User,
  users: Users,
): Promise<Response | undefined> {
  const id = /^\/api\/v1\/users\/([\w-]+)$/.exec(pathname)?.[1];
  const isRemoval = request.method === 'DELETE' && id !== undefined;
  const isAddition = request.method === 'POST' && pathname === '/api/v1/auths/add';
  if (!isRemoval && !isAddition) return undefined;
  if (user.role !== 'admin') return refusal(401, 'Access prohibited');
  if (isRemoval) {
    users.remove(id);
    return Response.json(true);
  }
  const { email = '', password = '', name = '', role = 'pending' } = await form(request);
  if (!safePassword.test(password)) return refusal(400, 'The password is too simple.');
  if (users.byEmail(email.toLowerCase())) return refusal(400, 'This email is already registered.');
  const added = users.add(email.toLowerCase(), password, name, role);
  return Response.json({ id: added.id, email: added.email, name, role, token: '' });
}

/** The original's rule with ENABLE_PASSWORD_VALIDATION. */
const safePassword = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[^\w\s]).{8,}$/;

function configuration(settings: UiSettings, users: Users): object {
  return {
    ...(users.count === 0 ? { onboarding: true } : {}),
    status: true,
    name: 'Open WebUI',
    version,
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
    return refusal(
      403,
      'You do not have permission to access this resource. Please contact your administrator for assistance.',
    );
  }
  if (!email.includes('@')) return refusal(400, 'The email format you entered is invalid.');
  if (users.byEmail(email.toLowerCase())) {
    return refusal(400, 'Uh-oh! This email is already registered.');
  }
  const role = first ? 'admin' : settings.defaultRole;
  return signedIn(users.add(email.toLowerCase(), password, name, role), settings);
}

function signedIn(user: User, settings: UiSettings): Response {
  const token = signToken(user.id, settings.secretKey);
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

function userOf(request: Request, { secretKey }: UiSettings, users: Users): User | undefined {
  const bearer = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1];
  const cookie = /(?:^|; )token=([^;]+)/.exec(request.headers.get('cookie') ?? '')?.[1];
  const id = readToken(bearer ?? cookie ?? '', secretKey);
  return id === undefined ? undefined : users.byId(id);
}

async function form(request: Request): Promise<Record<string, string>> {
  return (await request.json().catch(() => ({}))) as Record<string, string>;
}

function refusal(status: number, detail: string): Response {
  return Response.json({ detail }, { status });
}
