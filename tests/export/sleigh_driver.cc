// SPDX-License-Identifier: MIT
// What Ghidra's own SLEIGH says of instructions, for sleigh_real.py: linked with the objects of Ghidra's build.
//
//     sleigh-driver FILE.sla <WORDS      a line for each line of hexadecimal bytes: what it is as text
#include "loadimage.hh"
#include "sleigh.hh"
#include <iostream>
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
};

struct Text : AssemblyEmit {
    void dump(const Address &, const string &mnemonic, const string &body) override
    {
        std::cout << mnemonic << (body.empty() ? "" : " ") << body << '\n';
    }
};

int main(int, char **arguments)
{
    AttributeId::initialize();
    ElementId::initialize();
    Bytes image;
    std::string line;
    Text text;
    DocumentStorage storage;
    std::istringstream place("<sleigh>" + std::string(arguments[1]) + "</sleigh>");
    storage.registerTag(storage.parseDocument(place)->getRoot());
    ContextInternal context;
    Sleigh sleigh(&image, &context);
    sleigh.initialize(storage);
    while (std::getline(std::cin, line)) {
        image.bytes.clear();
        for (size_t i = 0; i + 1 < line.size(); i += 2)
            image.bytes += char(std::stoi(line.substr(i, 2), nullptr, 16));
        sleigh.reset(&image, &context);
        sleigh.initialize(storage);
        try {
            sleigh.printAssembly(text, Address(sleigh.getDefaultCodeSpace(), 0));
        } catch (const LowlevelError &error) {
            std::cout << "? " << error.explain << '\n';
        }
    }
    return 0;
}
