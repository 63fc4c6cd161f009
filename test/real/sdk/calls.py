"""Calls the relay with OpenAI's client for Python. Prints one line of JSON for each call.

Reads {"url", "model", "keys"} from standard input, so that no key is in an argument.
"""

import io
import json
import sys

import openai

given = json.load(sys.stdin)
model, keys = given["model"], given["keys"]
messages = [{"role": "user", "content": "Hi"}]
clock = {"type": "function", "function": {"name": "clock", "parameters": {}}}


def client(key=keys["any"], of="openai"):
    base = f"{given['url']}/{of}/v1"
    return openai.OpenAI(api_key=key, base_url=base, max_retries=0)


def file():
    return ("name.bin", io.BytesIO(b"the content"))


def streamed_tool_call(c):
    stream = c.chat.completions.create(model=model, messages=messages, tools=[clock], stream=True)
    calls = [call for chunk in stream for call in chunk.choices[0].delta.tool_calls or []]
    return calls[0].function.name


def streamed_response(c):
    with c.responses.stream(model=model, input="Hi") as stream:
        return stream.get_final_response().output_text


endpoints = {
    "models": lambda c: [each.id for each in c.models.list()],
    "models/<model>": lambda c: c.models.retrieve(model).id,
    "chat/completions": lambda c: c.chat.completions.create(model=model, messages=messages)
    .choices[0]
    .message.content,
    "completions": lambda c: c.completions.create(model=model, prompt="Hi").choices[0].text,
    "responses": lambda c: c.responses.create(model=model, input="Hi").output_text,
    "responses/compact": lambda c: c.responses.compact(model=model, input="Hi").output[0].type,
    "responses/input_tokens": lambda c: c.responses.input_tokens.count(
        model=model, input="Hi"
    ).input_tokens,
    "embeddings": lambda c: c.embeddings.create(model=model, input="Hi", encoding_format="float")
    .data[0]
    .embedding,
    "moderations": lambda c: c.moderations.create(model=model, input="Hi").results[0].flagged,
    "images/generations": lambda c: c.images.generate(model=model, prompt="Hi").data[0].b64_json,
    "images/edits": lambda c: c.images.edit(model=model, image=file(), prompt="Hi")
    .data[0]
    .b64_json,
    "images/variations": lambda c: c.images.create_variation(model=model, image=file())
    .data[0]
    .b64_json,
    "audio/speech": lambda c: list(
        c.audio.speech.create(model=model, input="Hi", voice="alloy").read()
    ),
    "audio/transcriptions": lambda c: c.audio.transcriptions.create(model=model, file=file()).text,
    "audio/translations": lambda c: c.audio.translations.create(model=model, file=file()).text,
}
streams = {
    "a chat": lambda c: [
        chunk.choices[0].delta.content
        for chunk in c.chat.completions.create(model=model, messages=messages, stream=True)
    ],
    "a tool call": streamed_tool_call,
    "a response": streamed_response,
}
refused = {
    "a wrong key": lambda: client("x").models.list(),
    "files": lambda: client().files.list(),
    "batches": lambda: client().batches.list(),
    "fine-tuning": lambda: client().fine_tuning.jobs.list(),
    "a stored response": lambda: client().responses.retrieve("resp_1"),
    "a stored chat": lambda: client().chat.completions.retrieve("chatcmpl-1"),
    "the deletion of a model": lambda: client().models.delete(model),
    "another provider": lambda: client(keys["other"]).models.list(),
    "an unknown provider": lambda: client(of="unknown").models.list(),
    "a provider without a key": lambda: client(of="other").models.list(),
    "a provider that is down": lambda: client(of="gone").models.list(),
    "a large body": lambda: client(keys["small"]).embeddings.create(model=model, input="x" * 200),
    "many requests": lambda: [client(keys["slow"]).models.list() for _ in range(2)],
    "a model that the provider does not have": lambda: client().chat.completions.create(
        model="other", messages=messages
    ),
}


def outcome(call):
    try:
        return {"result": call()}
    except openai.APIStatusError as error:
        return {
            "type": type(error).__name__,
            "status": error.status_code,
            "code": error.code,
            "request_id": error.request_id,
        }
    except Exception as error:
        return {"bug": repr(error)}


for kind, calls in {"endpoint": endpoints, "stream": streams, "refused": refused}.items():
    for name, call in calls.items():
        found = outcome(call if kind == "refused" else lambda call=call: call(client()))
        print(json.dumps({"kind": kind, "name": name, **found}, default=str), flush=True)
