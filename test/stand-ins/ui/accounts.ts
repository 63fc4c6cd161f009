import { form, messages, refusal } from './replies.ts';
import type { User, Users } from './users.ts';

/** The original's rule with ENABLE_PASSWORD_VALIDATION. */
const safePassword = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[^\w\s]).{8,}$/;

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
  if (!safePassword.test(next)) return refusal(400, 'The password is too simple.');
  users.setPassword(user.id, next);
  return Response.json(true);
}

function list(request: Request, users: Users): Response {
  const page = Math.max(1, Number(new URL(request.url).searchParams.get('page') ?? 1));
  const found = users.list(page).map((row) => ({ ...row, group_ids: [] }));
  return Response.json({ users: found, total: users.count });
}

async function add(request: Request, users: Users): Promise<Response> {
  const { email = '', password = '', name = '', role = 'pending' } = await form(request);
  if (!safePassword.test(password)) return refusal(400, 'The password is too simple.');
  if (users.byEmail(email.toLowerCase())) return refusal(400, 'This email is already registered.');
  const added = users.add(email.toLowerCase(), password, name, role);
  return Response.json({ id: added.id, email: added.email, name, role, token: '' });
}
