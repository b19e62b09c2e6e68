package server

import (
	"cmp"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// inherited are the variables that a private server takes over: what programs
// need to run at all, and what chooses and limits graphics cards. Every other is
// left out. Proxies would be a way out of the machine; a user's own OLLAMA_
// variables (flash attention, the type of the key-value cache, context length)
// and LLAMA_ARG_ ones would change answers.
var inherited = []string{
	"PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH",
	"SystemRoot", "windir", "SystemDrive", "ComSpec", "PATHEXT",
	"ProgramFiles", "ProgramData", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE",

	"OLLAMA_GPU_OVERHEAD", "OLLAMA_LLM_LIBRARY", "OLLAMA_SCHED_SPREAD",
	"OLLAMA_VULKAN", "OLLAMA_IGPU_ENABLE",
	"CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "NVIDIA_VISIBLE_DEVICES",
	"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL",
	"HSA_OVERRIDE_GFX_VERSION", "ROCM_PATH", "HIP_PATH", "CUDA_PATH",
	"GGML_VK_VISIBLE_DEVICES", "VK_ICD_FILENAMES", "VK_DRIVER_FILES",
	"ONEAPI_DEVICE_SELECTOR",
}

// modelsDir is where the server keeps models, relative to its own directory,
// which is its working directory; doc.go says why.
const modelsDir = "models"

// mark is the variable that a private server's processes are known by: its value
// is their directory. Runners inherit it from their server.
const mark = "LIGHTBOX_PRIVATE_SERVER"

// environment is what a server with the directory dir runs with; own is the
// environment of this process, and models a model directory that is not the
// server's own, or empty.
func environment(own []string, dir, address, models string) []string {
	env := []string{
		mark + "=" + dir,
		"HOME=" + dir,
		"TMPDIR=" + filepath.Join(dir, "tmp"),
		"OLLAMA_HOST=" + address,
		"OLLAMA_MODELS=" + cmp.Or(models, modelsDir),
		"OLLAMA_NO_CLOUD=1",
		"OLLAMA_NUM_PARALLEL=1", // batching moves answers even at temperature 0
		"LLAMA_ARG_CACHE_RAM=0", // newer servers else keep gigabytes of old prompts
	}
	if models != "" {
		env = append(env, "OLLAMA_NOPRUNE=1") // starting would remove blobs of no model
	}
	if runtime.GOOS == "windows" {
		for _, name := range []string{"USERPROFILE", "LOCALAPPDATA", "APPDATA"} {
			env = append(env, name+"="+dir)
		}
		for _, name := range []string{"TEMP", "TMP"} {
			env = append(env, name+"="+filepath.Join(dir, "tmp"))
		}
	}
	for _, entry := range own {
		name, _, _ := strings.Cut(entry, "=")
		if slices.ContainsFunc(inherited, func(want string) bool { return sameVariable(name, want) }) {
			env = append(env, entry)
		}
	}
	return env
}

// sameVariable compares names of variables as the system does.
func sameVariable(a, b string) bool {
	if runtime.GOOS == "windows" {
		return strings.EqualFold(a, b)
	}
	return a == b
}
