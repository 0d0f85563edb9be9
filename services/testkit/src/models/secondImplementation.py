"""
A second implementation of services/inference, in another language and with other methods: matrices, least squares and masks instead of loops.
A test compares the results of both.

Reads a job as JSON from standard input and writes the results as JSON to standard output. A picture is a list of sizes, each a file of raw RGB
bytes. All positions in the results are in pixels of the largest size.
"""

import json
import sys

import numpy as np
import onnxruntime

MEAN = np.array([0.485, 0.456, 0.406]) * 255
DEVIATION = np.array([0.229, 0.224, 0.225]) * 255
CLIP_MEAN = np.array([0.48145466, 0.4578275, 0.40821073]) * 255
CLIP_DEVIATION = np.array([0.26862954, 0.26130258, 0.27577711]) * 255
ARCFACE = np.array(
    [[38.2946, 51.6963], [73.5318, 51.5014], [56.0252, 71.7366], [41.5493, 92.3655], [70.7299, 92.2041]]
)


def open_session(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def longer(picture):
    return max(picture.shape[:2])


def triangle_matrix(source, target):
    """Returns a matrix [target, source]. Each row has the weights of the source pixels for one target pixel."""
    scale = source / target
    reach = max(1.0, scale)
    centres = (np.arange(target) + 0.5) * scale
    weights = np.maximum(0, 1 - np.abs(np.arange(source)[None, :] + 0.5 - centres[:, None]) / reach)
    return weights / weights.sum(axis=1, keepdims=True)


def resize(picture, height, width):
    rows, columns = triangle_matrix(picture.shape[0], height), triangle_matrix(picture.shape[1], width)
    scaled = np.einsum("yv,vuc,xu->yxc", rows, picture.astype(np.float64), columns, optimize=True)
    return np.floor(scaled + 0.5).astype(np.uint8)


def limit_size(sizes, side):
    target_side = min(side, max(longer(each) for each in sizes))
    exact = [each for each in sizes if longer(each) == target_side]
    if exact:
        return exact[0]
    source = min((each for each in sizes if longer(each) > target_side), key=longer)
    scale = target_side / longer(source)
    return resize(source, *(max(1, int(np.floor(side * scale + 0.5))) for side in source.shape[:2]))


def tensor(picture, mean, deviation, height=None, width=None, fill=0.0, bgr=False):
    numbers = (picture.astype(np.float64) - mean) / deviation
    if bgr:
        numbers = numbers[:, :, ::-1]
    height, width = height or picture.shape[0], width or picture.shape[1]
    padded = np.full((height, width, 3), fill)
    padded[: picture.shape[0], : picture.shape[1]] = numbers
    return np.ascontiguousarray(padded.transpose(2, 0, 1)[None]).astype(np.float32)


def sample(picture, matrix, width, height, black):
    """Returns the picture transformed by `matrix` [2, 3], which maps positions in the new picture to positions in this one."""
    steps = np.linalg.norm(matrix[:, :2], axis=0).max()
    count = int(min(4, max(1, np.floor(steps + 0.5))))
    offsets = (np.arange(count) + 0.5) / count
    total = np.zeros((height, width, 3))
    if black:
        canvas = np.pad(picture, ((1, 1), (1, 1), (0, 0))).astype(np.float64)
    else:
        canvas = np.pad(picture, ((1, 1), (1, 1), (0, 0)), mode="edge").astype(np.float64)
    for dy in offsets:
        for dx in offsets:
            y, x = np.mgrid[0:height, 0:width]
            positions = np.stack([x + dx, y + dy, np.ones_like(x)]).reshape(3, -1)
            u, v = matrix @ positions + 0.5
            if not black:
                u = np.clip(u, 1, picture.shape[1])
                v = np.clip(v, 1, picture.shape[0])
            inside = (u >= 0) & (u < picture.shape[1] + 1) & (v >= 0) & (v < picture.shape[0] + 1)
            u, v = np.where(inside, u, 0), np.where(inside, v, 0)
            left, top = np.floor(u).astype(int), np.floor(v).astype(int)
            right, bottom = np.minimum(left + 1, canvas.shape[1] - 1), np.minimum(top + 1, canvas.shape[0] - 1)
            fx, fy = (u - left)[:, None], (v - top)[:, None]
            upper = canvas[top, left] * (1 - fx) + canvas[top, right] * fx
            lower = canvas[bottom, left] * (1 - fx) + canvas[bottom, right] * fx
            values = np.where(inside[:, None], upper * (1 - fy) + lower * fy, 0)
            total += values.reshape(height, width, 3)
    return np.floor(total / count**2 + 0.5).astype(np.uint8)


def non_maximum_suppression(boxes, scores, max_overlap):
    """Returns the indexes of the remaining boxes, highest score first. `boxes` [n, 4] has left, top, right and bottom."""
    order = np.argsort(-scores, kind="stable")
    kept = []
    while len(order):
        first, rest = order[0], order[1:]
        kept.append(first)
        shared = np.maximum(0, np.minimum(boxes[first, 2:], boxes[rest, 2:]) - np.maximum(boxes[first, :2], boxes[rest, :2]))
        shared = shared.prod(axis=1)
        area = lambda b: (b[..., 2] - b[..., 0]) * (b[..., 3] - b[..., 1])
        order = rest[shared / (area(boxes[first]) + area(boxes[rest]) - shared) <= max_overlap]
    return kept


def round_up(value, multiple=32):
    return -(-value // multiple) * multiple


def find_faces(sessions, sizes):
    scaled = limit_size(sizes, 640)
    height, width = round_up(scaled.shape[0]), round_up(scaled.shape[1])
    session = sessions["yunet"]
    names = [output.name for output in session.get_outputs()]
    outputs = dict(zip(names, session.run(None, {"input": tensor(scaled, 0, 1, height, width, bgr=True)})))
    boxes, points, scores = [], [], []
    for stride in (8, 16, 32):
        rows, columns = np.divmod(np.arange((height // stride) * (width // stride)), width // stride)
        corner = np.stack([columns, rows], axis=1).astype(np.float64)
        cls, obj = outputs[f"cls_{stride}"][0, :, 0], outputs[f"obj_{stride}"][0, :, 0]
        box = outputs[f"bbox_{stride}"][0].astype(np.float64)
        marks = outputs[f"kps_{stride}"][0].reshape(-1, 5, 2)
        centre, half = (corner + box[:, :2]) * stride, np.exp(box[:, 2:]) * stride / 2
        scores.append(np.sqrt(np.clip(cls, 0, 1).astype(np.float64) * np.clip(obj, 0, 1)))
        boxes.append(np.hstack([centre - half, centre + half]))
        points.append((corner[:, None] + marks) * stride)
    boxes, points, scores = np.vstack(boxes), np.vstack(points), np.concatenate(scores)
    confident = scores >= 0.7
    boxes, points, scores = boxes[confident], points[confident], scores[confident]
    largest = max(sizes, key=longer)
    to_largest = np.array([largest.shape[1] / scaled.shape[1], largest.shape[0] / scaled.shape[0]])
    faces = []
    for i in non_maximum_suppression(boxes, scores, 0.3):
        matrix = similarity(points[i])
        density = np.sqrt(np.linalg.det(matrix[:, :2])) / longer(scaled)
        large_enough = [each for each in [scaled, *sizes] if density * longer(each) >= 1]
        source = min(large_enough, key=longer) if large_enough else largest
        to_source = np.array([source.shape[1] / scaled.shape[1], source.shape[0] / scaled.shape[0]])
        aligned = sample(source, similarity(points[i] * to_source), 112, 112, black=True)
        embedding = sessions["mobilefacenet"].run(None, {"input0": tensor(aligned, MEAN, DEVIATION)})[0][0]
        box = boxes[i].reshape(2, 2).clip(0, [scaled.shape[1], scaled.shape[0]]) * to_largest
        faces.append(
            {
                "score": float(scores[i]),
                "box": box.ravel().tolist(),
                "landmarks": (points[i] * to_largest).tolist(),
                "embedding": (embedding / np.linalg.norm(embedding)).tolist(),
            }
        )
    return faces


def similarity(landmarks):
    """Returns the matrix [[a, -b, x], [b, a, y]] that maps the template to the landmarks, by least squares of ten equations."""
    equations, values = [], []
    for (u, v), (x, y) in zip(ARCFACE, landmarks):
        equations += [[u, -v, 1, 0], [v, u, 0, 1]]
        values += [x, y]
    a, b, x, y = np.linalg.lstsq(np.array(equations), np.array(values), rcond=None)[0]
    return np.array([[a, -b, x], [b, a, y]])


def find_labels(sessions, sizes):
    picture = limit_size(sizes, 640)
    scale = 256 / min(picture.shape[:2])
    height, width = (int(np.floor(side * scale + 0.5)) for side in picture.shape[:2])
    top, left = (height - 224) // 2, (width - 224) // 2
    part = resize(picture, height, width)[top : top + 224, left : left + 224]
    logits = sessions["shufflenet-v2-int8"].run(None, {"input": tensor(part, MEAN, DEVIATION)})[0][0].astype(np.float64)
    probabilities = np.exp(logits) / np.exp(logits).sum()
    scenes = [{"kind": int(i), "probability": float(probabilities[i])} for i in np.argsort(-probabilities, kind="stable")[:5]]

    scaled = limit_size(sizes, 416)
    output = sessions["yolox-nano"].run(None, {"images": tensor(scaled, 0, 1, 416, 416, fill=114, bgr=True)})[0][0]
    output = output.astype(np.float64)
    grids = [np.stack(np.meshgrid(np.arange(416 // s), np.arange(416 // s)), axis=-1).reshape(-1, 2) for s in (8, 16, 32)]
    strides = np.concatenate([np.full((len(grid), 1), s) for grid, s in zip(grids, (8, 16, 32))])
    centre, half = (output[:, :2] + np.vstack(grids)) * strides, np.exp(output[:, 2:4]) * strides / 2
    edge = [scaled.shape[1], scaled.shape[0]] * 2
    boxes = np.hstack([centre - half, centre + half]).clip(0, edge)
    kinds = output[:, 5:].argmax(axis=1)
    scores = output[:, 4] * output[:, 5:].max(axis=1)
    largest = max(sizes, key=longer)
    to_largest = np.array([largest.shape[1] / scaled.shape[1], largest.shape[0] / scaled.shape[0]] * 2)
    objects = []
    for kind in np.unique(kinds[scores >= 0.3]):
        kind_indexes = np.flatnonzero((kinds == kind) & (scores >= 0.3))
        for i in kind_indexes[non_maximum_suppression(boxes[kind_indexes], scores[kind_indexes], 0.45)]:
            objects.append({"kind": int(kind), "score": float(scores[i]), "box": (boxes[i] * to_largest).tolist()})
    return {"scenes": scenes, "objects": sorted(objects, key=lambda each: -each["score"])}


def components(mask):
    """Returns the pixels [n, 2] of each 8-connected part. Each pixel repeatedly takes the largest label of its neighbours, until nothing changes."""
    labels = np.where(mask, np.arange(1, mask.size + 1).reshape(mask.shape), 0)
    while True:
        spread = labels
        for axis in (0, 1):
            padded = np.pad(spread, [(1, 1) if a == axis else (0, 0) for a in (0, 1)])
            slices = [padded.take(range(k, k + spread.shape[axis]), axis=axis) for k in (0, 1, 2)]
            spread = np.where(mask, np.maximum.reduce(slices), 0) if axis == 1 else np.maximum.reduce(slices)
        # Also takes the label of the pixel that first had this label, which needs far fewer rounds.
        jumped = np.where(mask, np.maximum(spread, labels.ravel()[np.maximum(spread, 1) - 1]), 0)
        if (jumped == labels).all():
            break
        labels = jumped
    ys, xs = np.nonzero(mask)
    numbers = labels[ys, xs]
    order = np.argsort(numbers, kind="stable")
    ys, xs, numbers = ys[order], xs[order], numbers[order]
    cuts = np.flatnonzero(np.diff(numbers)) + 1
    return [np.stack(part, axis=1).astype(np.float64) for part in zip(np.split(xs, cuts), np.split(ys, cuts))] if len(xs) else []


def hull(points):
    """Returns the corners of the convex hull by gift wrapping: the next corner is the point with no other point on its right."""
    edges = [points[points[:, 1] == y] for y in np.unique(points[:, 1])]
    points = np.unique(np.vstack([row[[row[:, 0].argmin(), row[:, 0].argmax()]] for row in edges]), axis=0)
    corners = [points[0]]
    while True:
        to = points - corners[-1]
        best = None
        for i in np.flatnonzero((to != 0).any(axis=1)):
            if best is None:
                best = i
                continue
            turn = to[best, 0] * to[i, 1] - to[best, 1] * to[i, 0]
            if turn < 0 or (turn == 0 and (to[i] ** 2).sum() > (to[best] ** 2).sum()):
                best = i
        if best is None or (points[best] == corners[0]).all():
            return np.array(corners)
        corners.append(points[best])


def smallest_rectangle(points):
    """Returns centre, unit vector along the width, and size of the smallest rectangle around the points."""
    corners = hull(points)
    sides = np.roll(corners, -1, axis=0) - corners
    best = None
    for x, y in sides:
        length = np.hypot(x, y)
        angle = np.arctan2(y, x) if length else 0.0
        # Turns the side by quarter turns, so that the width runs along x rather than along y.
        angle = (angle + np.pi / 4) % (np.pi / 2) - np.pi / 4
        across = np.array([np.cos(angle), np.sin(angle)])
        frame = np.stack([across, [-across[1], across[0]]])
        projected = corners @ frame.T
        low, high = projected.min(axis=0), projected.max(axis=0)
        area = (high - low).prod()
        if best is None or area < best[0] * (1 - 1e-6):
            best = (area, (low + high) / 2 @ frame, across, high - low)
    return best[1:]


def detect_text(sessions, scaled):
    height, width = round_up(scaled.shape[0]), round_up(scaled.shape[1])
    return sessions["ppocr-v4-detection"].run(None, {"x": tensor(scaled, MEAN, DEVIATION, height, width)})[0][0, 0]


def find_text(sessions, alphabet, sizes):
    scaled = limit_size(sizes, 768)
    heat = detect_text(sessions, scaled)
    y, x = np.mgrid[0 : heat.shape[0], 0 : heat.shape[1]]
    lines = []
    for part in components(heat > np.float32(0.3)):
        centre, across, size = smallest_rectangle(part)
        if size.min() < 3:
            continue
        down = np.array([-across[1], across[0]])
        offset = np.stack([x - centre[0], y - centre[1]], axis=-1)
        inside = (np.abs(offset @ across) <= size[0] / 2 + 1e-6) & (np.abs(offset @ down) <= size[1] / 2 + 1e-6)
        if heat[inside].mean(dtype=np.float64) <= 0.5:
            continue
        lines.append((centre + 0.5, across, size + 2 * 1.6 * size.prod() / (2 * size.sum())))
    largest = max(sizes, key=longer)
    scale = largest.shape[1] / scaled.shape[1]
    lines = [(centre * scale, across, size * scale) for centre, across, size in lines]
    found = []
    for centre, across, size in reading_order(orient_lines(sessions, largest, lines)):
        down = rotate_down(across)
        corners = [centre + (u * across * size[0] + v * down * size[1]) / 2 for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        text, confidence = read_line(sessions, alphabet, largest, centre, across, size)
        if confidence >= 0.5 and text.strip():
            found.append({"text": text, "confidence": confidence, "corners": np.array(corners).tolist()})
    return found


def rotate_down(across):
    return np.array([-across[1], across[0]])


def orient_lines(sessions, picture, lines):
    """Returns the lines in reading direction. All horizontal lines, or all vertical ones, are turned if most of their three longest are upside down."""
    sides = [size[1] >= 1.5 * size[0] for _, _, size in lines]
    lines = [(c, rotate_down(a), s[::-1]) if is_vertical else (c, a, s) for (c, a, s), is_vertical in zip(lines, sides)]
    for kind in (False, True):
        lines_of_kind = [line for line, is_vertical in zip(lines, sides) if is_vertical == kind]
        longest_lines = sorted((line for line in lines_of_kind if line[2][0] >= 2 * line[2][1]), key=lambda line: -line[2][0] / line[2][1])[:3]
        votes = [is_upside_down(sessions, picture, *line) for line in longest_lines]
        if sum(votes) > len(votes) / 2:
            lines = [(c, -a, s) if is_vertical == kind else (c, a, s) for (c, a, s), is_vertical in zip(lines, sides)]
    return lines


def is_upside_down(sessions, picture, centre, across, size):
    line = cut_line(picture, centre, across, size)[:, :192]
    probabilities = sessions["ppocr-v2-direction"].run(None, {"x": tensor(line, 127.5, 127.5, 48, 192)})[0][0]
    return probabilities[1] > np.float32(0.9)


def reading_order(lines):
    pages = [np.array(page, dtype=np.float64) for page in ((1, 0), (0, 1), (-1, 0), (0, -1))]
    half = np.sqrt(0.5)
    areas = [sum(size.prod() for _, across, size in lines if across @ page > half) for page in pages]
    right = pages[int(np.argmax(areas))]
    down = rotate_down(right)
    waiting = sorted(lines, key=lambda line: line[0] @ down)
    while waiting:
        centre, across, size = waiting[0]
        end = centre @ down + size[0 if abs(across @ down) > half else 1] / 2
        level = [line for line in waiting if line[0] @ down <= end]
        waiting = waiting[len(level) :]
        yield from sorted(level, key=lambda line: line[0] @ right)


def cut_line(picture, centre, across, size):
    down = rotate_down(across)
    width = int(min(2048, max(1, np.floor(0.75 * 48 * size[0] / size[1] + 0.5))))
    origin = centre - (across * size[0] + down * size[1]) / 2
    matrix = np.stack([across * size[0] / width, down * size[1] / 48, origin], axis=1)
    return sample(picture, matrix, width, 48, black=False)


def read_line(sessions, alphabet, picture, centre, across, size):
    line = cut_line(picture, centre, across, size)
    padded = tensor(line, 127.5, 127.5, 48, max(96, round_up(line.shape[1])))
    probabilities = sessions["ppocr-v4-recognition"].run(None, {"x": padded})[0][0]
    best = probabilities.argmax(axis=1)
    kept = (best != 0) & (best != np.concatenate([[0], best[:-1]]))
    text = "".join([*alphabet, " "][i - 1] for i in best[kept])
    return text, float(probabilities.max(axis=1)[kept].mean(dtype=np.float64)) if kept.any() else 0.0


def clip_tokens(vocabulary, merges):
    """Returns the CLIP tokenizer of Hugging Face's Rust library, with the settings of the library's converter."""
    # Imported here, because jobs with pictures do not need it.
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    with open(vocabulary, encoding="utf8") as file:
        words = json.load(file)
    with open(merges, encoding="utf8") as file:
        pairs = [tuple(line.split()) for line in file.read().rstrip().split("\n")[1:]]
    tokens = Tokenizer(models.BPE(words, pairs, end_of_word_suffix="</w>", unk_token="<|endoftext|>"))
    tokens.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()]
    )
    pattern = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
    tokens.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(pattern), "removed", invert=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    tokens.post_processor = processors.RobertaProcessing(
        ("<|endoftext|>", 49407), ("<|startoftext|>", 49406), trim_offsets=False, add_prefix_space=False
    )
    tokens.enable_truncation(77)
    return tokens


def embed(session, output, **provided):
    """Returns the normalised embedding. If one file has both halves of a model, the other half gets a picture of the mean colour or an empty text."""
    ids = provided.get("input_ids", np.array([[49406, 49407]], dtype=np.int64))
    fillers = {"pixel_values": np.zeros((1, 3, 224, 224), dtype=np.float32), "input_ids": ids, "attention_mask": np.ones_like(ids)}
    inputs = {each.name: {**fillers, **provided}[each.name] for each in session.get_inputs()}
    vector = session.run([output], inputs)[0][0].astype(np.float64)
    return (vector / (np.linalg.norm(vector) or 1)).tolist()


def embed_picture(sessions, sizes):
    picture = limit_size(sizes, 640)
    scale = 224 / min(picture.shape[:2])
    height, width = (int(np.floor(side * scale + 0.5)) for side in picture.shape[:2])
    top, left = (height - 224) // 2, (width - 224) // 2
    part = resize(picture, height, width)[top : top + 224, left : left + 224]
    return embed(sessions["image"], "image_embeds", pixel_values=tensor(part, CLIP_MEAN, CLIP_DEVIATION))


def process_texts(job):
    """Returns the tokens of each text, and its embedding if the job has a model. Texts are not padded for the model."""
    encoded = clip_tokens(*job["vocabulary"]).encode_batch(job["texts"])
    session = open_session(job["model"]) if "model" in job else None
    return [
        {
            "tokens": each.ids,
            "embedding": session and embed(session, "text_embeds", input_ids=np.array([each.ids], dtype=np.int64)),
        }
        for each in encoded
    ]


def main():
    job = json.load(sys.stdin)
    if "texts" in job:
        json.dump(process_texts(job), sys.stdout)
        return
    sessions = {name: open_session(path) for name, path in job["models"].items()}
    alphabet = []
    if "alphabet" in job:
        with open(job["alphabet"], encoding="utf8") as file:
            alphabet = file.read().rstrip().split("\n")
    tasks = {
        "faces": find_faces,
        "labels": find_labels,
        "text": lambda s, p: find_text(s, alphabet, p),
        "meaning": embed_picture,
    }
    results = []
    for picture in job["pictures"]:
        sizes = [
            np.fromfile(each["path"], dtype=np.uint8).reshape(each["height"], each["width"], 3)
            for each in picture["sizes"]
        ]
        results.append(tasks[picture["task"]](sessions, sizes))
    json.dump(results, sys.stdout)


main()
