import type { Ran } from '../machine/exec.ts';
import type { Outsider } from '../network/outsider.ts';

/** Asks for the chat UI ten times a second, over one connection as long as it lasts. */
const script = `
import http.client, json, os, ssl, sys, time
host, stop = sys.argv[1:]
context = ssl._create_unverified_context()
seen, connection = [], None
while not os.path.exists(stop):
  status = body = 0
  try:
    connection = connection or http.client.HTTPSConnection(host, timeout=5, context=context)
    connection.request('GET', '/', headers={'Accept': 'text/html'})
    answer = connection.getresponse()
    status, body = answer.status, answer.read().decode()
    retry = answer.getheader('Retry-After')
  except Exception:
    connection = retry = None
  seen.append([time.monotonic(), status, retry, body if status == 503 else ''])
  time.sleep(0.1)
os.remove(stop)
pages = [(retry, body) for _, status, retry, body in seen if status == 503]
def longest(matches):
  spans, begin = [0], None
  for at, status, _, _ in seen:
    if matches(status): begin = begin or at; spans.append(at - begin)
    else: begin = None
  return max(spans)
print(json.dumps({'closed': longest(lambda s: s == 503), 'unanswered': longest(lambda s: s == 0),
  'away': longest(lambda s: s != 200), 'page': pages[0] if pages else None}))
`;

/** What a visitor saw. Longest times in seconds. */
export interface Visit {
  /** With the page of the update. */
  readonly closed: number;
  /** Without any answer. */
  readonly unanswered: number;
  /** Without the chat UI. */
  readonly away: number;
  /** `Retry-After` and the page of the update; null if it was never shown. */
  readonly page: readonly [string, string] | null;
}

/** Visits the chat UI from outside until some work ends. */
export async function visitDuring(
  outsider: Outsider,
  name: string,
  work: () => Promise<void>,
): Promise<Visit> {
  const stop = '/tmp/stop-visit';
  const visit: Promise<Ran> = outsider.run(['python3', '-c', script, name, stop], { limit: 600 });
  try {
    await work();
  } finally {
    await outsider.run(['touch', stop]);
  }
  const { exitCode, stdout, stderr } = await visit;
  if (exitCode !== 0) throw new Error(`the visit failed: ${stderr}`);
  return JSON.parse(stdout);
}
