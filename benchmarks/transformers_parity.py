#!/usr/bin/env python3
"""The same models here and in the transformers and PEFT libraries: logits, greedy tokens, adapters and classifiers' scores.

Makes models of random configurations and parameters with transformers, runs `paretofl generate` on their folders, and
compares the logits after a prompt and the most probable continuation. Then adapters: one that PEFT writes is used by
`paretofl generate`, and one in our format (the same folder through `paretofl convert`) is loaded by PEFT again. Classifiers
with one output (DeBERTa-v3, and a score head on the others) score texts of different lengths by `paretofl score`.
Prints one line per case and then, for every family, the largest difference of a logit or score over all its cases. Exits with 1 if
one is more than 1e-4 off or a token differs where the two most probable ones are further apart than that.

Usage: benchmarks/transformers_parity.py [--seeds 2] [--paretofl build/paretofl] [--only gemma]
Needs: pip install transformers==5.24.0 peft==0.21.2 torch safetensors
"""

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import torch
import transformers
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import (DebertaV2Config, DebertaV2ForSequenceClassification, GemmaConfig, GemmaForCausalLM, Gemma2Config, Gemma2ForCausalLM, Gemma2ForSequenceClassification,
                          Gemma3ForCausalLM, Gemma3TextConfig, GPT2Config, GPT2ForSequenceClassification, GPT2LMHeadModel, LlamaConfig,
                          LlamaForCausalLM, LlamaForSequenceClassification, MistralConfig, MistralForCausalLM, Phi3Config, Phi3ForCausalLM, Qwen2Config, Qwen2ForCausalLM,
                          Qwen2ForSequenceClassification, Qwen3Config, Qwen3ForCausalLM, Qwen3ForSequenceClassification, SmolLM3Config,
                          SmolLM3ForCausalLM)

transformers.logging.disable_progress_bar()
TOLERANCE = 1e-4
NEW = 24
SHORTEST = {"phi3 with longrope": 5}  # prompts, so that all of a sequence is on one side of the original length
EAGER = {"gemma2": {"attn_implementation": "eager"}}
PROJECTIONS = {"phi3": ["qkv_proj", "o_proj", "gate_up_proj"], "gpt2": ["c_attn", "c_proj", "c_fc"]}
LLAMA3_ROPE = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 32}


def shape(draw):
    pairs, group, width = draw.choice([1, 2, 3]), draw.choice([1, 2, 4]), draw.choice([8, 10, 16])
    heads = pairs * group
    return dict(vocab_size=draw.randint(60, 300), hidden_size=heads * width, intermediate_size=draw.randint(20, 150),
                num_hidden_layers=draw.randint(1, 4), num_attention_heads=heads, num_key_value_heads=pairs, max_position_embeddings=128,
                initializer_range=0.15, bos_token_id=None, eos_token_id=None)


def layer_types(draw, layers):
    return [draw.choice(["sliding_attention", "full_attention"]) for _ in range(layers)]


def llama(draw):
    return LlamaForCausalLM(LlamaConfig(**shape(draw), tie_word_embeddings=draw.random() < 0.5, attention_bias=draw.random() < 0.3))


def llama_of_head_dim(draw):
    return LlamaForCausalLM(LlamaConfig(**shape(draw), head_dim=draw.choice([6, 12, 32])))


def llama_with_rope(scaling):
    return lambda draw: LlamaForCausalLM(LlamaConfig(**shape(draw), rope_parameters={"rope_theta": 5e3, **scaling(draw)}))


def yarn(draw):
    return dict(rope_type="yarn", factor=draw.choice([2.0, 4.0]), original_max_position_embeddings=draw.choice([16, 32]),
                **draw.choice([{}, dict(mscale=1.0, mscale_all_dim=0.7), dict(beta_fast=8.0, beta_slow=2.0, truncate=False),
                               dict(attention_factor=1.3)]))


def qwen2(draw):
    return Qwen2ForCausalLM(Qwen2Config(**shape(draw), rope_theta=1e6, tie_word_embeddings=draw.random() < 0.5))


def qwen2_with_windows(draw):
    return Qwen2ForCausalLM(Qwen2Config(**shape(draw), use_sliding_window=True, sliding_window=draw.randint(1, 20),
                                        max_window_layers=draw.randint(0, 2)))


def qwen3(draw):
    sizes = shape(draw)
    return Qwen3ForCausalLM(Qwen3Config(**sizes, head_dim=draw.choice([8, 12, 16]), attention_bias=draw.random() < 0.3,
                                        tie_word_embeddings=draw.random() < 0.5, use_sliding_window=True, sliding_window=draw.randint(1, 20),
                                        layer_types=draw.choice([None, layer_types(draw, sizes["num_hidden_layers"])])))


def mistral(draw):
    return MistralForCausalLM(MistralConfig(**shape(draw), sliding_window=draw.choice([None, draw.randint(1, 20)]),
                                            head_dim=draw.choice([None, 12])))


def phi3(draw):
    return Phi3ForCausalLM(Phi3Config(**shape(draw), pad_token_id=None, sliding_window=draw.choice([None, draw.randint(1, 20)])))


def phi3_of_part_of_a_head(draw):
    sizes = dict(shape(draw), pad_token_id=None)
    sizes["hidden_size"] = 16 * sizes["num_attention_heads"]
    return Phi3ForCausalLM(Phi3Config(**sizes, rope_parameters={"rope_type": "default", "rope_theta": 5e3,
                                                                "partial_rotary_factor": draw.choice([0.25, 0.5, 0.75])}))


def phi3_with_longrope(draw):
    sizes = dict(shape(draw), pad_token_id=None)
    sizes["hidden_size"] = 16 * sizes["num_attention_heads"]
    share = draw.choice([0.5, 0.75, 1.0])
    factors = lambda low, high: [draw.uniform(low, high) for _ in range(int(16 * share) // 2)]
    rope = dict(rope_type="longrope", rope_theta=5e3, partial_rotary_factor=share, short_factor=factors(1.0, 2.0), long_factor=factors(1.0, 9.0),
                **draw.choice([{}, dict(attention_factor=1.3), dict(factor=16.0)]))
    return Phi3ForCausalLM(Phi3Config(**sizes, original_max_position_embeddings=draw.choice([4, 96]), rope_parameters=rope))


def smollm3(draw):
    return SmolLM3ForCausalLM(SmolLM3Config(**shape(draw), pad_token_id=None, no_rope_layer_interval=draw.choice([1, 2, 3]),
                                            attention_bias=draw.random() < 0.3, use_sliding_window=draw.random() < 0.5,
                                            sliding_window=draw.randint(1, 20)))


def gemma_shape(draw):
    return dict(shape(draw), head_dim=draw.choice([8, 12, 24]), sliding_window=draw.randint(1, 20), pad_token_id=None,
                query_pre_attn_scalar=draw.choice([8, 20, 144]), attn_implementation="eager")  # the others leave out the caps


def gemma(draw):
    return GemmaForCausalLM(GemmaConfig(**shape(draw), head_dim=draw.choice([8, 12, 24]), pad_token_id=None,
                                        hidden_act=draw.choice(["gelu", "gelu_pytorch_tanh"]), attention_bias=draw.random() < 0.3))


def gemma2(draw):
    return Gemma2ForCausalLM(Gemma2Config(**gemma_shape(draw), attn_logit_softcapping=draw.choice([None, 0.7, 5.0]),
                                          final_logit_softcapping=draw.choice([None, 1.5, 30.0])))


def gemma3(draw):
    sizes = gemma_shape(draw)
    scaling = draw.choice([{"rope_type": "default"}, {"rope_type": "linear", "factor": 8.0}])
    return Gemma3ForCausalLM(Gemma3TextConfig(
        **sizes, layer_types=layer_types(draw, sizes["num_hidden_layers"]), final_logit_softcapping=draw.choice([None, 2.0]),
        rope_parameters={"full_attention": {**scaling, "rope_theta": 1e5}, "sliding_attention": {"rope_type": "default", "rope_theta": 300.0}}))


def gpt2(draw):
    heads = draw.choice([1, 2, 5])
    return GPT2LMHeadModel(GPT2Config(vocab_size=draw.randint(60, 300), n_embd=heads * draw.choice([8, 12]), n_layer=draw.randint(1, 4),
                                      n_head=heads, n_positions=128, initializer_range=0.15, bos_token_id=None, eos_token_id=None))


FAMILIES = {"llama": llama, "llama of any head_dim": llama_of_head_dim, "llama with llama3 rope": llama_with_rope(lambda draw: LLAMA3_ROPE),
            "llama with linear rope": llama_with_rope(lambda draw: dict(rope_type="linear", factor=draw.choice([1.5, 4.0]))),
            "llama with dynamic rope": llama_with_rope(lambda draw: dict(rope_type="dynamic", factor=2.0)),
            "llama with yarn rope": llama_with_rope(yarn), "mistral": mistral, "qwen2": qwen2, "qwen2 with windows": qwen2_with_windows,
            "qwen3": qwen3, "smollm3": smollm3, "phi3": phi3,
            "phi3 of a part of a head": phi3_of_part_of_a_head, "phi3 with longrope": phi3_with_longrope, "gemma": gemma, "gemma2": gemma2, "gemma3": gemma3, "gpt2": gpt2}


def deberta(draw):
    heads = draw.choice([1, 2, 4])
    return DebertaV2ForSequenceClassification(DebertaV2Config(
        vocab_size=draw.randint(60, 300), hidden_size=heads * draw.choice([8, 16]), num_hidden_layers=draw.randint(1, 3),
        num_attention_heads=heads, intermediate_size=draw.randint(20, 150), max_position_embeddings=128, relative_attention=True,
        position_buckets=draw.choice([8, 16, 64]), norm_rel_ebd="layer_norm", share_att_key=True, pos_att_type=["p2c", "c2p"],
        position_biased_input=False, type_vocab_size=0, layer_norm_eps=1e-7, initializer_range=0.15, num_labels=1))


def with_score_head(kind, make):
    def classifier(draw):
        config = make(draw).config
        config.num_labels, config.pad_token_id = 1, 0
        return kind(config)
    return classifier


CLASSIFIERS = {"deberta-v3": deberta, "llama with a score head": with_score_head(LlamaForSequenceClassification, llama),
               "qwen2 with a score head": with_score_head(Qwen2ForSequenceClassification, qwen2),
               "qwen3 with a score head": with_score_head(Qwen3ForSequenceClassification, qwen3),
               "gemma2 with a score head": with_score_head(Gemma2ForSequenceClassification, gemma2),
               "gpt2 with a score head": with_score_head(GPT2ForSequenceClassification, gpt2)}
largest = {}  # difference by kind of case


def noted(kind, error):
    largest[kind] = max(largest.get(kind, 0.0), error)
    return error


def expected(model, prompt):
    ids, margins = list(prompt), []
    with torch.no_grad():
        first = model(torch.tensor([ids])).logits[0, -1]
        for _ in range(NEW):
            best = torch.topk(model(torch.tensor([ids])).logits[0, -1], 2)
            ids.append(int(best.indices[0]))
            margins.append(float(best.values[0] - best.values[1]))
    return first, ids[len(prompt):], min(margins)


def ours(program, prompt, *arguments):
    line = [program, "generate", "--prompt-ids", ",".join(map(str, prompt)), "--max-new-tokens", str(NEW), "--logits", *map(str, arguments)]
    return json.loads(subprocess.run(line, capture_output=True, check=True).stdout)


def compare(kind, name, model, prompt, result):
    logits, ids, margin = expected(model.eval(), prompt)
    error = noted(kind, float((torch.tensor(result["logits"]) - logits).abs().max()))
    good = error <= TOLERANCE and (result["ids"] == ids or margin < TOLERANCE)
    print(f"{name}: largest difference of a logit {error:.1e} (deviation {float(logits.std()):.2f}), "
          f"greedy tokens {'the same' if result['ids'] == ids else 'different'}{'' if good else '  FAILED'}", flush=True)
    return good


def adapter_options(name):
    """Settings of PEFT's adapters by what they have beside a rank and names of projections."""
    names = PROJECTIONS.get(name.split()[0], ["q_proj", "k_proj", "v_proj", "o_proj"])
    first, last = names[0], names[-1]
    return {"PEFT's adapters": dict(target_modules=names), "PEFT's adapters with use_rslora": dict(target_modules=names, use_rslora=True),
            "PEFT's adapters with patterns": dict(target_modules=names, rank_pattern={f"0.*{first}": 2, last: 7}, alpha_pattern={last: 5}),
            "PEFT's adapters by a regular expression": dict(target_modules=rf".*\.(layers|h)\..*({first}|{last})"),
            "PEFT's adapters on all-linear": dict(target_modules="all-linear")}


def adapters(program, name, model, prompt, folder):
    base, adapter, converted = folder / "model", folder / "adapter", folder / "converted"
    good = True
    for kind, options in adapter_options(name).items():
        fresh = type(model).from_pretrained(base, **EAGER.get(name, {}))
        lora = get_peft_model(fresh, LoraConfig(r=4, lora_alpha=12, init_lora_weights=False, fan_in_fan_out=name == "gpt2",
                                                task_type="CAUSAL_LM", **options))
        lora.save_pretrained(adapter)
        found = ours(program, prompt, "--model", base, "--adapter", adapter)
        good &= compare(kind, f"{name} with {kind}", lora, prompt, found)
        subprocess.run([program, "convert", "--from", "safetensors", adapter, converted, "--dtype", "float64"], check=True)
        again = PeftModel.from_pretrained(type(model).from_pretrained(base, **EAGER.get(name, {})), converted)
        found = ours(program, prompt, "--model", base, "--adapter", converted)
        good &= compare("our adapters in PEFT", f"{name} with {kind} converted here", again, prompt, found)
        shutil.rmtree(adapter)
        shutil.rmtree(converted)
    return good


def classifies(program, kind, name, model, texts, folder):
    model.eval().save_pretrained(folder)
    with torch.no_grad():
        theirs = [float(model(torch.tensor([ids])).logits[0, 0]) for ids in texts]
    rows = "".join(json.dumps({"ids": ids}) + "\n" for ids in texts)
    found = subprocess.run([program, "score", "--reward-model", folder, "-"], input=rows, capture_output=True, check=True, text=True).stdout
    error = noted(kind, max(abs(json.loads(line)["score"] - score) for line, score in zip(found.splitlines(), theirs, strict=True)))
    print(f"{name}: largest difference of {len(texts)} scores {error:.1e} (deviation {float(torch.tensor(theirs).std()):.2f})"
          f"{'' if error <= TOLERANCE else '  FAILED'}", flush=True)
    return error <= TOLERANCE


def new_model(make, draw):
    torch.manual_seed(draw.randint(0, 2**31))
    model = make(draw)
    with torch.no_grad():  # biases and norms are not left at 0 and 1
        for parameter in model.parameters():
            if parameter.dim() == 1:
                parameter += 0.2 * torch.randn_like(parameter)
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--paretofl", default="build/paretofl")
    parser.add_argument("--only", default="", help="families and classifiers with this in their names")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    good = True
    chosen = lambda cases: [(name, make) for name, make in cases.items() if arguments.only in name]
    for name, make in chosen(FAMILIES):
        for seed in range(arguments.seeds):
            draw = random.Random(f"{name} {seed}")
            model = new_model(make, draw)
            prompt = [draw.randrange(model.config.vocab_size) for _ in range(draw.randint(SHORTEST.get(name, 1), 60))]
            with tempfile.TemporaryDirectory() as folder:
                folder = Path(folder)
                model.save_pretrained(folder / "model", max_shard_size="60KB" if seed % 2 else "5GB")
                good &= compare(name, f"{name} {seed}", model, prompt, ours(arguments.paretofl, prompt, "--model", folder / "model"))
                good &= adapters(arguments.paretofl, name, model, prompt, folder)
    for name, make in chosen(CLASSIFIERS):
        for seed in range(arguments.seeds):
            draw = random.Random(f"{name} {seed}")
            model = new_model(make, draw)
            texts = [[draw.randrange(1, model.config.vocab_size) for _ in range(length)] for length in [1, 2, 7, 30, 100]]
            with tempfile.TemporaryDirectory() as folder:
                good &= classifies(arguments.paretofl, name, f"{name} {seed}", model, texts, folder)
    for kind, error in largest.items():
        print(f"{kind}: at most {error:.1e}")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
