// SPDX-License-Identifier: MIT
// What Ghidra's own SLEIGH says of instructions, and its emulator of p-code, for sleigh_real.py and sleigh_emulator.py:
// linked with the objects of Ghidra's build.
//
//     sleigh-driver FILE.sla <WORDS       a line for each line of hexadecimal bytes: what it is as text
//     sleigh-driver FILE.sla uses <WORDS  what its p-code touches, each with a ";": "reads REGISTER", "writes REGISTER",
//                                         "loads SPACE NUMBER", "stores SPACE NUMBER" ("?": not known), "calls FUNCTION"
//     sleigh-driver FILE.sla run          commands, a line each: `code HEX` (and all that is stored is 0),
//         `put SPACE NUMBER VALUE` (of registers NUMBER is the name), `length ADDRESS` of the instruction there with its delay
//         slot, and `step ADDRESS`, which answers with "write SPACE NUMBER BEFORE AFTER" and "call FUNCTION NUMBER...", which
//         is answered by a line with a number, then "end ADDRESS" (where control is), or "error TEXT".
#include "emulate.hh"
#include "loadimage.hh"
#include "sleigh.hh"
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <sstream>

using namespace ghidra;

struct Bytes : LoadImage {
    std::string bytes;
    Bytes() : LoadImage("bytes") {}
    void loadFill(uint1 *to, int4 size, const Address &address) override
    {
        for (int4 i = 0; i < size; i++)
            to[i] = address.getOffset() + i < bytes.size() ? bytes[address.getOffset() + i] : 0;
    }
    string getArchType() const override { return "bytes"; }
    void adjustVma(long) override {}
    void set(const std::string &hex)
    {
        bytes.clear();
        for (size_t i = 0; i + 1 < hex.size(); i += 2)
            bytes += char(std::stoi(hex.substr(i, 2), nullptr, 16));
    }
};

struct Text : AssemblyEmit {
    void dump(const Address &, const string &mnemonic, const string &body) override
    {
        std::cout << mnemonic << (body.empty() ? "" : " ") << body << '\n';
    }
};

// --- what p-code touches ---------------------------------------------------------------------------------------------

// Follows all ways through an instruction; where they meet, what is known of values on both is known.
struct Uses : PcodeEmit {
    struct Operation {
        OpCode code;
        bool writes;
        VarnodeData out;
        vector<VarnodeData> in;
    };
    struct Way {
        bool reached;
        std::map<VarnodeData, uintb> known;
        std::set<VarnodeData> written;
    };
    const Translate *sleigh;
    vector<string> functions;
    vector<OpBehavior *> behaviors;
    vector<Operation> operations;
    std::set<string> found;
    Uses(Sleigh *of) : sleigh(of)
    {
        of->getUserOpNames(functions);
        OpBehavior::registerInstructions(behaviors, of);
    }
    ~Uses()
    {
        for (OpBehavior *behavior : behaviors)
            delete behavior;
    }
    void dump(const Address &, OpCode code, VarnodeData *out, VarnodeData *in, int4 count) override
    {
        operations.push_back({code, out != nullptr, out ? *out : VarnodeData(), vector<VarnodeData>(in, in + count)});
    }
    // Words of a space of registers; `place`: the first one's number.
    void note_words(bool writes, const AddrSpace *space, uintb place, uint4 size)
    {
        for (uint4 i = 0; i == 0 || i * space->getWordSize() < size; i++)
            found.insert((writes ? "stores " : "loads ") + space->getName() + ' ' + std::to_string(place + i));
    }
    // A register, several in a row, or a place of another space that is known when the instruction is decoded.
    void note(bool writes, const VarnodeData &node)
    {
        if (node.space->getName() != "register") {
            if (node.space->getType() == IPTR_PROCESSOR)
                note_words(writes, node.space, node.offset / node.space->getWordSize(), node.size);
            return;
        }
        const bool one = !sleigh->getRegisterName(node.space, node.offset, node.size).empty();
        const uint4 size = one ? node.size : 4;
        for (uint4 at = 0; at < node.size; at += size)
            found.insert((writes ? "writes " : "reads ") + sleigh->getRegisterName(node.space, node.offset + at, size));
    }
    static bool value(const Way &way, const VarnodeData &node, uintb &number)
    {
        auto at = way.known.find(node);
        number = node.space->getType() == IPTR_CONSTANT ? node.offset : at == way.known.end() ? 0 : at->second;
        return node.space->getType() == IPTR_CONSTANT || at != way.known.end();
    }
    void touch(const Way &way, const Operation &op)
    {
        uintb number;
        const bool memory = op.code == CPUI_LOAD || op.code == CPUI_STORE;
        const bool goes = op.code == CPUI_BRANCH || op.code == CPUI_CBRANCH || op.code == CPUI_CALL;
        for (size_t i = memory || goes || op.code == CPUI_CALLOTHER; i < op.in.size(); i++)
            if (!way.written.count(op.in[i]))
                note(false, op.in[i]);
        if (memory) {
            const bool loads = op.code == CPUI_LOAD;
            const AddrSpace *space = op.in[0].getSpaceFromConst();
            if (value(way, op.in[1], number))
                note_words(!loads, space, number, space->getWordSize() == 4 ? loads ? op.out.size : op.in[2].size : 1);
            else
                found.insert((loads ? "loads " : "stores ") + space->getName() + " ?");
        }
        if (op.code == CPUI_CALLOTHER)
            found.insert("calls " + functions[op.in[0].offset]);
        if (op.writes)
            note(true, op.out);
    }
    void compute(Way &way, const Operation &op)
    {
        uintb a, b;
        const OpBehavior *does = behaviors[op.code];
        if (!op.writes)
            return;
        way.known.erase(op.out);
        way.written.insert(op.out);
        if (does->isSpecial() || !value(way, op.in[0], a))
            return;
        if (does->isUnary())
            way.known[op.out] = does->evaluateUnary(op.out.size, op.in[0].size, a);
        else if (value(way, op.in[1], b))
            way.known[op.out] = does->evaluateBinary(op.out.size, op.in[0].size, a, b);
    }
    // False: nothing new at that place.
    static bool meet(Way &at, const Way &other)
    {
        if (!at.reached) {
            at = other;
            return true;
        }
        const size_t before = at.known.size() + at.written.size();
        for (auto item = at.known.begin(); item != at.known.end();) {
            auto same = other.known.find(item->first);
            item = same != other.known.end() && same->second == item->second ? std::next(item) : at.known.erase(item);
        }
        for (auto item = at.written.begin(); item != at.written.end();)
            item = other.written.count(*item) ? std::next(item) : at.written.erase(item);
        return at.known.size() + at.written.size() != before;
    }
    void follow()
    {
        vector<Way> ways(operations.size() + 1, Way{false, {}, {}});
        vector<size_t> left(1, 0);
        ways[0].reached = true;
        while (!left.empty()) {
            const size_t at = left.back();
            left.pop_back();
            if (at >= operations.size())
                continue;
            const Operation &op = operations[at];
            Way way = ways[at];
            uintb number = 1;
            compute(way, op);
            const bool branch = op.code == CPUI_CBRANCH, jump = branch || op.code == CPUI_BRANCH;
            const bool known = !branch || value(ways[at], op.in[1], number);
            const size_t to = jump && op.in[0].space->getType() == IPTR_CONSTANT ? at + (size_t)(int4)op.in[0].offset : ways.size();
            if (to < ways.size() && (number || !known) && meet(ways[to], way))
                left.push_back(to);
            if (op.code != CPUI_BRANCH && !(branch && known && number) && meet(ways[at + 1], way))
                left.push_back(at + 1);
        }
        for (size_t at = 0; at < operations.size(); at++)
            if (ways[at].reached)
                touch(ways[at], operations[at]);
    }
    void show()
    {
        follow();
        for (const string &use : found)
            std::cout << use << ';';
        std::cout << '\n';
    }
};

// --- the emulator ----------------------------------------------------------------------------------------------------

struct Bank : MemoryBank {
    std::map<uintb, uintb> words;
    explicit Bank(AddrSpace *space) : MemoryBank(space, 8, 4096) {}
    void insert(uintb address, uintb value) override { words[address] = value; }
    uintb find(uintb address) const override
    {
        auto found = words.find(address);
        return found == words.end() ? 0 : found->second;
    }
};

struct Emulator : EmulatePcodeCache {
    const Translate *sleigh;
    vector<string> functions;
    Emulator(Sleigh *of, MemoryState *state, BreakTable *none) : EmulatePcodeCache(of, state, none), sleigh(of)
    {
        of->getUserOpNames(functions);
    }
    void executeCallother() override
    {
        std::string answer;
        std::cout << "call " << functions[currentOp->getInput(0)->offset];
        for (int4 i = 1; i < currentOp->numInput(); i++)
            std::cout << ' ' << memstate->getValue(currentOp->getInput(i));
        std::cout << std::endl;
        std::getline(std::cin, answer);
        if (currentOp->getOutput())
            memstate->setValue(currentOp->getOutput(), std::stoull(answer));
        fallthruOp();
    }
    // One operation, with what it writes to registers and spaces. Where control is then may not be an instruction.
    bool operation(const Address &begin)
    {
        const bool stores = currentOp && currentOp->getBehavior()->getOpcode() == CPUI_STORE;
        VarnodeData to = {nullptr, 0, 0};
        if (stores) {
            to.space = currentOp->getInput(0)->getSpaceFromConst();
            to.offset = AddrSpace::addressToByte(memstate->getValue(currentOp->getInput(1)), to.space->getWordSize());
            to.size = currentOp->getInput(2)->size;
        } else if (currentOp && currentOp->getOutput() && currentOp->getOutput()->space->getName() == "register") {
            to = *currentOp->getOutput();
        }
        uintb before = to.space ? memstate->getValue(&to) : 0;
        bool on = true;
        try {
            executeCurrentOp();
        } catch (const LowlevelError &) {
            if (getExecuteAddress() == begin)
                throw;
            on = false;
        }
        on &= !isInstructionStart();
        if (!to.space)
            return on;
        std::cout << "write " << to.space->getName() << ' ';
        if (stores)
            std::cout << AddrSpace::byteToAddress(to.offset, to.space->getWordSize());
        else
            std::cout << sleigh->getRegisterName(to.space, to.offset, to.size);
        std::cout << ' ' << before << ' ' << memstate->getValue(&to) << '\n';
        return on;
    }
    void step(const Address &address)
    {
        setExecuteAddress(address);
        while (operation(address))
            ;
        std::cout << "end " << getExecuteAddress().getOffset() << std::endl;
    }
};

struct Nothing : PcodeEmit {
    void dump(const Address &, OpCode, VarnodeData *, VarnodeData *, int4) override {}
};

// Decodes anew, without what is known of places so far: what was in a delay slot may now be decoded out of it.
static void forget(Sleigh &sleigh, Bytes &image, DocumentStorage &storage)
{
    static std::unique_ptr<ContextInternal> context;
    std::unique_ptr<ContextInternal> fresh(new ContextInternal);
    sleigh.reset(&image, fresh.get());
    sleigh.initialize(storage);
    context = std::move(fresh);
}

static void run(Sleigh &sleigh, Bytes &image, DocumentStorage &storage)
{
    MemoryState state(&sleigh);
    vector<std::unique_ptr<Bank>> banks;
    BreakTableCallBack none(&sleigh);
    Emulator emulator(&sleigh, &state, &none);
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string command, space, what;
        uintb value;
        words >> command >> space;
        try {
            if (command == "code") {
                image.set(space);
                forget(sleigh, image, storage);
                banks.clear();
                for (int4 i = 0; i < sleigh.numSpaces(); i++)
                    if (sleigh.getSpace(i) && sleigh.getSpace(i)->getType() != IPTR_CONSTANT) {
                        banks.emplace_back(new Bank(sleigh.getSpace(i)));
                        state.setMemoryBank(banks.back().get());
                    }
            } else if (command == "put") {
                words >> what >> value;
                AddrSpace *to = sleigh.getSpaceByName(space);
                if (space == "register")
                    state.setValue(what, value);
                else
                    state.setValue(to, AddrSpace::addressToByte(std::stoull(what), to->getWordSize()), 4, value);
            } else {
                Address address(sleigh.getDefaultCodeSpace(), std::stoull(space));
                Nothing nothing;
                forget(sleigh, image, storage);
                if (command == "length")
                    std::cout << "end " << sleigh.oneInstruction(nothing, address) << std::endl;
                else
                    emulator.step(address);
            }
        } catch (const LowlevelError &error) {
            std::cout << "error " << error.explain << std::endl;
        }
    }
}

int main(int count, char **arguments)
{
    AttributeId::initialize();
    ElementId::initialize();
    Bytes image;
    std::string line, mode = count > 2 ? arguments[2] : "text";
    Text text;
    DocumentStorage storage;
    std::istringstream place("<sleigh>" + std::string(arguments[1]) + "</sleigh>");
    storage.registerTag(storage.parseDocument(place)->getRoot());
    Sleigh sleigh(&image, nullptr);
    forget(sleigh, image, storage);
    sleigh.setDefaultFloatFormats();
    if (mode == "run")
        run(sleigh, image, storage);
    while (mode != "run" && std::getline(std::cin, line)) {
        image.set(line);
        forget(sleigh, image, storage);
        try {
            Uses uses(&sleigh);
            if (mode == "uses") {
                sleigh.oneInstruction(uses, Address(sleigh.getDefaultCodeSpace(), 0));
                uses.show();
            } else {
                sleigh.printAssembly(text, Address(sleigh.getDefaultCodeSpace(), 0));
            }
        } catch (const LowlevelError &error) {
            std::cout << "? " << error.explain << '\n';
        }
    }
    return 0;
}
