import { describe, expect, it } from 'vitest';
import { isTooLarge } from '../../../../appliance/shared/smoke/generate.ts';

const terminated = 'llama-server process has terminated:';

describe('an error of Ollama', () => {
  it.each([
    'model requires more system memory (5.9 GiB) than is available (1.2 GiB)',
    `${terminated} exit status 1: ggml_backend_cpu_buffer_type_alloc_buffer: failed to allocate buffer of size 19192545280\nalloc_tensor_range: failed to allocate CPU buffer of size 19192545280\nerror loading model: unable to allocate CPU buffer`,
    `${terminated} exit status 1: llama_init_from_model: failed to initialize the context: failed to allocate buffer for kv cache`,
    `${terminated} signal: killed`,
    'llama runner process has terminated: signal: killed',
    `${terminated} exit status 1: cudaMalloc failed: out of memory`,
    'llama-server reported out-of-memory during startup: not enough memory',
    'llama-server reported out-of-memory during startup: vk::Device::allocateMemory: ErrorOutOfDeviceMemory',
    'model runner has unexpectedly stopped, this may be due to resource limitations or an internal error, check ollama server logs for details',
    'an error was encountered while running the model: unexpected EOF',
    'timed out waiting for llama-server to start - ',
    'timed out waiting for llama runner to start - progress 0.50 - ',
  ])('means that the model is too large: %s', (error) => {
    expect(isTooLarge(error)).toBe(true);
  });

  it.each([
    "model 'qwen3:8b' not found",
    `${terminated} exit status 2`,
    `${terminated} signal: aborted (core dumped)`,
    `${terminated} exit status 1: error loading model: unknown model architecture: 'next'`,
    'option "num_predict" must be of type integer',
    'server busy, please try again.  maximum pending requests exceeded',
  ])('means something else: %s', (error) => {
    expect(isTooLarge(error)).toBe(false);
  });
});
