/** Messages of Open WebUI (constants.py). */
export const messages = {
  missing: "We could not find what you're looking for :/",
  wrongPassword: 'The password provided is incorrect. Please check for typos and try again.',
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
