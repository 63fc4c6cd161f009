/** Messages of Open WebUI (constants.py). */
export const messages = {
  missing: "We could not find what you're looking for :/",
  wrongPassword: 'The password provided is incorrect. Please check for typos and try again.',
  longPassword:
    'Uh-oh! The password you entered is too long. Please make sure your password is less than 72 bytes long.',
  /** PASSWORD_VALIDATION_HINT of the stack. */
  simplePassword:
    'Use at least 8 characters, with upper and lower case letters, a digit and a special character.',
  restricted: 'The requested action has been restricted as a security measure.',
  prohibited:
    'You do not have permission to access this resource. Please contact your administrator for assistance.',
} as const;

/** Returns an error in FastAPI's form. */
export function refusal(status: number, detail: string): Response {
  return Response.json({ detail }, { status });
}

/** Returns the fields of a form in JSON; none if the body is not JSON. */
export async function form(request: Request): Promise<Record<string, string>> {
  return (await request.json().catch(() => ({}))) as Record<string, string>;
}
