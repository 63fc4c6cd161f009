import { form, messages, refusal } from './replies.ts';
import type { User, Users } from './users.ts';

/** The original's rule with ENABLE_PASSWORD_VALIDATION. */
const safePassword = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[^\w\s]).{8,}$/;

/** Returns why the original rejects a password (utils/auth.py, validate_password); undefined if it does not. */
function complaintAbout(password: string): string | undefined {
  if (Buffer.byteLength(password) > 72) return messages.longPassword;
  return safePassword.test(password) ? undefined : messages.simplePassword;
}

/**
 * Lists, adds and removes accounts, and changes a password (routers/auths.py, routers/users.py);
 * undefined for other requests.
 */
export async function accounts(
  request: Request,
  pathname: string,
  user: User,
  users: Users,
): Promise<Response | undefined> {
  if (request.method === 'POST' && pathname === '/api/v1/auths/update/password') {
    return await changePassword(request, user, users);
  }
  const changed = /^\/api\/v1\/users\/([\w-]+)\/update$/.exec(pathname)?.[1];
  if (request.method === 'POST' && changed !== undefined) {
    return await updateAccount(request, user, changed, users);
  }
  const id = /^\/api\/v1\/users\/([\w-]+)$/.exec(pathname)?.[1];
  const isRemoval = request.method === 'DELETE' && id !== undefined;
  const isList = request.method === 'GET' && pathname === '/api/v1/users/';
  const isAddition = request.method === 'POST' && pathname === '/api/v1/auths/add';
  if (!isRemoval && !isList && !isAddition) return undefined;
  if (user.role !== 'admin') return refusal(401, messages.prohibited);
  if (isRemoval) {
    users.remove(id);
    return Response.json(true);
  }
  return isList ? list(request, users) : await add(request, users);
}

async function changePassword(request: Request, user: User, users: Users): Promise<Response> {
  const { password = '', new_password: next = '' } = await form(request);
  if (!users.byPassword(user.email, password)) return refusal(400, messages.wrongPassword);
  const complaint = complaintAbout(next);
  if (complaint !== undefined) return refusal(400, complaint);
  users.setPassword(user.id, next);
  return Response.json(true);
}

/**
 * Changes the password of an account (routers/users.py, update_user_by_id). Only the first account may
 * change the first account. An empty or absent password changes nothing.
 */
async function updateAccount(
  request: Request,
  user: User,
  id: string,
  users: Users,
): Promise<Response> {
  if (user.role !== 'admin') return refusal(401, messages.prohibited);
  const { password } = (await request.json()) as { password?: unknown };
  if (password !== undefined && password !== null && typeof password !== 'string') {
    return Response.json({ detail: [invalidText(password)] }, { status: 422 });
  }
  if (id === users.first?.id && user.id !== id) return refusal(403, messages.restricted);
  const account = users.byId(id);
  if (!account) return refusal(400, messages.missing);
  if (password) {
    const complaint = complaintAbout(password);
    if (complaint !== undefined) return refusal(400, complaint);
    users.setPassword(id, password);
  }
  const { password: _hash, session_stamp: _stamp, ...row } = account;
  return Response.json(row);
}

/** As FastAPI reports a value of another type: with the value. */
function invalidText(input: unknown): object {
  const msg = 'Input should be a valid string';
  return { type: 'string_type', loc: ['body', 'password'], msg, input };
}

function list(request: Request, users: Users): Response {
  const page = Math.max(1, Number(new URL(request.url).searchParams.get('page') ?? 1));
  const found = users.list(page).map((row) => ({ ...row, group_ids: [] }));
  return Response.json({ users: found, total: users.count });
}

async function add(request: Request, users: Users): Promise<Response> {
  const { email = '', password = '', name = '', role = 'pending' } = await form(request);
  const complaint = complaintAbout(password);
  if (complaint !== undefined) return refusal(400, complaint);
  if (users.byEmail(email.toLowerCase())) return refusal(400, 'This email is already registered.');
  const added = users.add(email.toLowerCase(), password, name, role);
  return Response.json({ id: added.id, email: added.email, name, role, token: '' });
}
