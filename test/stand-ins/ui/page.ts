/** The page on every path: sign in, select a model, chat. Replaces the UI's own. */
export const shell = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Open WebUI</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem; }
  form { display: grid; gap: .75rem } input, button { font: inherit; padding: .5rem }
  pre { white-space: pre-wrap; background: #f3f3f5; padding: 1rem; min-height: 4rem }
  [hidden] { display: none }
</style>
<h1>Open WebUI (stand-in)</h1>
<p id="socket">connecting</p>
<form id="sign-in">
  <input name="email" type="email" placeholder="Email" autocomplete="username" required>
  <input name="password" type="password" placeholder="Password" autocomplete="current-password" required>
  <button>Sign in</button>
</form>
<form id="chat" hidden>
  <input name="prompt" placeholder="Send a message" required>
  <button>Send</button>
</form>
<pre id="answer"></pre>
<script>
  const byId = (id) => document.getElementById(id);
  let token, model;
  const headers = () => ({ 'content-type': 'application/json', authorization: 'Bearer ' + token });
  const socket = new WebSocket(location.origin.replace(/^http/, 'ws') + '/ws/socket.io/?EIO=4&transport=websocket');
  socket.onmessage = () => { byId('socket').textContent = 'connected'; };
  socket.onclose = () => { byId('socket').textContent = 'not connected'; };
  byId('sign-in').onsubmit = async (event) => {
    event.preventDefault();
    const body = JSON.stringify(Object.fromEntries(new FormData(event.target)));
    const answer = await fetch('/api/v1/auths/signin', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const session = await answer.json();
    if (!answer.ok) { byId('answer').textContent = session.detail; return; }
    token = session.token;
    const { data } = await (await fetch('/api/models', { headers: headers() })).json();
    const config = await (await fetch('/api/config', { headers: headers() })).json();
    model = config.default_models.split(',')[0] || (data[0] && data[0].id);
    byId('sign-in').hidden = true;
    byId('chat').hidden = false;
    byId('answer').textContent = model ? 'Signed in. Model: ' + model : 'Signed in. No model yet.';
  };
  byId('chat').onsubmit = async (event) => {
    event.preventDefault();
    const messages = [{ role: 'user', content: new FormData(event.target).get('prompt') }];
    const body = JSON.stringify({ model, messages, max_tokens: 32 });
    const answer = await fetch('/api/chat/completions', { method: 'POST', headers: headers(), body });
    byId('answer').textContent = (await answer.json()).choices[0].message.content;
  };
</script>
</html>
`;
